#!/usr/bin/env bash
# check_json.sh TOOL SOURCE_DIR: --json of every command, merging, colour and progress on a terminal only, completion, and
# the page of `goldml check --report`.
set -euo pipefail
source "$(dirname "$0")/functions.sh"
mkdir -p box

document() {  # document NAME STATUS EXPRESSION ARGUMENTS...: one line of JSON with this status; EXPRESSION is Python about d
  local name=$1 status=$2 expression=$3 got=0 problem=''
  shift 3
  (cd box && exec "$tool" "$@" >"$work/out" 2>"$work/err" </dev/null) || got=$?
  [[ $got == "$status" ]] || problem="status $got, wanted $status"
  problem+=$(python3 - "$work/out" "$status" "$expression" 2>&1 <<'PYTHON'
import json, sys
text = open(sys.argv[1], "rb").read().replace(b"\r\n", b"\n")
assert text.endswith(b"\n") and text.count(b"\n") == 1, "not one line"
assert all(32 <= c < 127 for c in text[:-1]), "not printable ASCII"
d = json.loads(text)
assert d["schema"] == 1 and d["status"] == int(sys.argv[2]) and isinstance(d["errors"], list), d
assert eval(sys.argv[3]), d
PYTHON
) || true
  report "$name" "$problem"
}

# run
document 'run' 0 'd["command"] == "run" and d["backend"] == "cpu" and d["resources"] == [{"name": "out", "data_type": "UINT32", "values": [0, 1, 0]}]' \
  run "$source/examples/models/argmin_axis_1.json" --json
document 'run: numbers without loss' 0 'd["resources"][0]["values"] == [9007199254740993, 18446744073709551615]' \
  run --json --case 'FILL_VALUE_SEQUENCE OutputTensor=UINT64{2} ValueStart=UINT64:0x20000000000001 ValueDelta=UINT64:0xFFDFFFFFFFFFFFFE'
document 'run: what is not finite is a string, and -0 keeps its sign' 0 \
  '[str(v) for v in d["resources"][0]["values"]] == ["nan", "inf", "-inf", "-0.0", "0.1"]' \
  run --json --case 'ELEMENT_WISE_IDENTITY InputTensor=FLOAT32{5}:{0x7FC00000,0x7F800000,0xFF800000,0x80000000,0.1} OutputTensor=FLOAT32{5}'
model name.json '"a\u001b[31m\u202e\u00fc\u007f": {"initialValuesDataType": "UINT8", "initialValues": [7]}' '' \
  '{"type": "print", "resource": "a\u001b[31m\u202e\u00fc\u007f"}'
document 'run: text of a file is escaped' 0 'd["resources"][0]["name"] == "a\x1b[31m\u202e\u00fc\x7f"' run name.json --json
printf '{ "resources": {},\n "dispatchables": {"op": {"type": "ARGMINN", "desc": {}}}, "commands": [] }' >box/wrong.json
document 'a refusal has rule, place and message' 2 \
  '[(e["rule"], e["line"], e["file"], e["path"]) for e in d["errors"]] == [("M5", 2, "wrong.json", "dispatchables.op.type")] and "did you mean" in d["errors"][0]["message"] and "resources" not in d' \
  run wrong.json --json
expect 'messages stay on standard error' 2 '~^\{.*\}' '~^wrong.json:2:' run wrong.json --json

# validate
document 'validate: legal' 0 'd["legal"] is True and d["violations"] == 0 and d["errors"] == []' \
  validate "$source/examples/models/argmin_axis_1.json" --json
document 'validate: every broken rule' 2 \
  'd["legal"] is False and d["violations"] == 3 and [(e["rule"], e["line"]) for e in d["errors"]] == [("A8", 16), ("A3", 13), ("T12", 13)] and d["errors"][0]["refused_by"] == "ARGMIN" and d["errors"][1]["index"] == 1' \
  validate --json "$source/docs/models/argmin_wrong.json"

# tolerance
document 'T5: tolerance' 0 \
  '[(t["operator"], t["cases"], t["data_type"], t["absolute"], t["ulp"], t["rounded"], t["exact"]) for t in d["tolerances"]] == [("REDUCE", 1, "FLOAT32", 23.9, 2167847969, 1, 0)] and d["tolerances"][0]["wrong"][0] == {"device": "a missing term", "outputs": {"wrong": 1, "pair": 0, "ulp": 1, "interval": 0}, "elements": {"wrong": 1, "pair": 0, "ulp": 1, "interval": 0}}' \
  tolerance --json --case 'REDUCE InputTensor=FLOAT32{1,3}:{1e8,1,-1e8} OutputTensor=FLOAT32{1,1} Function=SUM Axes={1}'
document 'T5: no relative tolerance' 0 'd["tolerances"][0]["relative_alone"] == "inf"' \
  tolerance --json --case 'REDUCE InputTensor=FLOAT32{1,4}:{1e8,1,-1e8,-1} OutputTensor=FLOAT32{1,1} Function=SUM Axes={1}'

# list
document 'list' 0 '{"name": "ARGMIN", "feature_level": "3_0"}.items() <= [o for o in d["operators"] if o["name"] == "ARGMIN"][0].items() and "6_4" in d["feature_levels"] and {"cpu", "reference"} <= set(d["backends"])' \
  list --json

# generate, check
document 'generate' 0 'd["cases"] == 6 and d["manifest"] == "manifest_argmin.json" and d["folder"] == "corpus" and d["seed"] == 3' \
  generate ARGMIN --count 6 --seed 3 --output-dir corpus --json
document 'generate: a shard' 0 'd["cases"] == 3 and (d["shard"], d["shards"]) == (2, 3)' \
  generate ARGMIN --count 11 --shard 2/3 --output-dir shard --json
for path in box/corpus/argmin_0*.json; do
  (cd box && "$tool" run "corpus/${path##*/}" --output-dir actual >"$work/out" 2>"$work/err") || report "run ${path##*/}" failed
done
document '37.6: generate of two operators' 0 '[(c["operator"], c["manifest"], c["cases"]) for c in d["corpora"]] == [("ARGMIN", "manifest_argmin.json", 2), ("SLICE1", "manifest_slice1.json", 2)] and d["count"] == 2' \
  generate ARGMIN SLICE1 --count 2 --output-dir two --json
document '37.6: list of one operator' 0 '[o["name"] for o in d["operators"]] == ["GEMM"] and [o["name"] for o in d["operators"][0]["operands"]] == ["ATensor", "BTensor", "CTensor", "OutputTensor"] and d["operators"][0]["operands"][2]["optional"] and d["operators"][0]["operands"][0]["levels"][1] == {"from": "4_0", "data_types": ["FLOAT32", "FLOAT16"], "fewest_dimensions": 2, "most_dimensions": 4} and d["operators"][0]["attributes"][0] == {"name": "TransA", "type": "DML_MATRIX_TRANSFORM", "values": ["NONE", "TRANSPOSE"], "default": "NONE"} and d["operators"][0]["policies"][0]["name"] == "accumulation"' \
  list GEMM --json
document 'check: all agree' 0 '[m["outcome"] for m in d["models"]] == ["agrees"] * 6 and d["operators"][0]["agrees"] == 6' \
  check corpus --actual-dir actual --json
# The last byte of a .npy file is one of its elements.
python3 - box/actual/argmin_000002.OutputTensor.npy <<'PYTHON'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
offset = 10 + int.from_bytes(data[8:10], "little")
data[offset] ^= 0x55
open(sys.argv[1], "wb").write(data)
PYTHON
rm box/actual/argmin_000004.OutputTensor.npy
document 'check: one differs, one is missing' 1 \
  '[m["outcome"] for m in d["models"]] == ["agrees", "agrees", "differs", "agrees", "missing", "agrees"] and d["models"][2]["differing"] == 1 and "expected" in d["models"][2]["report"] and d["operators"][0]["differs"] == 1 and d["models"][4]["missing"] == ["actual/argmin_000004.OutputTensor.npy"]' \
  check corpus --actual-dir actual --json
cp -r box/corpus box/changed
echo >>box/changed/argmin_000001.json
document 'check: a corpus that is changed is not judged' 2 'd["models"] == [] and "M12" in d["errors"][0]["message"]' \
  check changed --actual-dir actual --json
document 'check: one model' 1 'len(d["models"]) == 1 and d["models"][0]["outcome"] == "differs"' \
  check corpus/argmin_000002.json --actual OutputTensor=actual/argmin_000002.OutputTensor.npy --json

# Shards of a check, merged
for shard in 0 1 2; do
  (cd box && "$tool" check corpus --actual-dir actual --shard $shard/3 --json >"part$shard.json") || true
done
(cd box && "$tool" check corpus --actual-dir actual 2>&1 | tr -d '\r' >"$work/whole") || true
expect 'merge: the table of all shards is that of one check' 1 "=$(sed -n '/^operator /,$p' "$work/whole")" '' merge part0.json part1.json part2.json
document 'merge: as JSON' 1 'len(d["models"]) == 6 and d["operators"][0]["missing"] == 1 and [m["missing"] for m in d["models"] if "missing" in m] == [["actual/argmin_000004.OutputTensor.npy"]]' merge part0.json part1.json part2.json --json
refused 'M2: merge without one shard' "~^model M2: shard is 1/3 missing, wanted the results of every shard" merge part0.json part2.json
refused 'M2: merge with one shard twice' "~^model M2: model is .argmin_00000.\.json. again" merge part0.json part0.json part1.json part2.json
(cd box && "$tool" check none --actual-dir actual --json >refused.json 2>/dev/null) || true
expect 'C6: merge of a refused check says why' 2 '~^operator ' "~^refused.json: model M9: folder is 'none'" merge refused.json
document 'C6: merge of a refused check says why, as JSON' 2 '"model M9" in d["errors"][0]["message"]' merge refused.json --json
sed 's/"schema":1/"schema":2/' box/part0.json >box/newer.json
refused 'M4: merge of another schema' '~newer.json:1:.*model M4: schema is 2, wanted 1' merge newer.json
sed 's/"outcome":"agrees"/"outcome":"fine"/' box/part0.json >box/odd.json
refused 'M3: merge of an unknown outcome' '~odd.json:1:[0-9]+: models.0.: model M3: outcome is .fine.' merge odd.json
refused 'M2: --shard of a single model' '~^model M2: --shard is .0/2., wanted a folder' \
  check corpus/argmin_000002.json --actual OutputTensor=actual/argmin_000002.OutputTensor.npy --shard 0/2
refused 'M2: --shard beyond the end' '~^model M2: --shard is .3/3., wanted i/n' check corpus --actual-dir actual --shard 3/3

# The page
page_is_sound() {  # page_is_sound NAME PAGE: every link leads to a section; nothing is run or loaded
  report "$1" "$(python3 - "$2" 2>&1 <<'PYTHON'
import html.parser, sys
ids, links, problems, opened = set(), [], [], []
class page(html.parser.HTMLParser):
    def handle_starttag(self, tag, attributes):
        if tag in ("script", "link", "img", "iframe", "object", "embed", "base", "form"): problems.append(tag)
        if tag not in ("meta", "path", "rect"): opened.append(tag)
        for name, value in attributes:
            if name == "id": problems.extend([value] if value in ids else []); ids.add(value)
            if name == "href": links.append(value)
            if name == "src" or name.startswith("on"): problems.append(name)
    def handle_startendtag(self, tag, attributes): pass
    def handle_endtag(self, tag):
        if not opened or opened.pop() != tag: problems.append("/" + tag)
text = open(sys.argv[1], encoding="utf-8").read()
page().feed(text)
problems += [link for link in links if link[:1] != "#" or link[1:] not in ids] + opened
problems += [word for word in ("http:", "https:", "@import", "url(") if word in text]
if problems or not links: print("unsound:", problems, links)
PYTHON
)"
}
export SOURCE_DATE_EPOCH=951868799
expect 'check --report' 1 '~^argmin_000002.json: ARGMIN: differs' '' check corpus --actual-dir actual --report page
page=box/page/index.html
page_is_sound '37.9: every link of the page leads to a section, and nothing is run or loaded' $page
problem=''
while read -r words; do
  grep -qF "$words" $page || problem+=" no $words;"
done <<'WORDS'
<title>goldml check: 2 of 6 models do not agree</title>
<li><strong class="">6</strong>models</li>
<li><strong class="good">4</strong>agrees</li>
<li><strong class="bad">1</strong>differs</li>
<li><strong class="bad">1</strong>missing</li>
<dd><code>goldml check corpus --actual-dir actual --report page</code></dd>
<dt>Date</dt><dd>2000-02-29 23:59 UTC</dd>
<dt>Seed</dt><dd>3 (ARGMIN)</dd>
<dt>Exit status</dt><dd>1: a model differs or lacks a file</dd>
<tr><td><a href="#m1">ARGMIN</a></td><td class="good">4</td><td class="bad">1</td><td class="bad"><a href="#missing">1</a></td>
<tr><td><a href="#m1">argmin_000002.json</a></td><td>ARGMIN</td><td>differs</td>
<section id="m1">
<li><code>actual/argmin_000004.OutputTensor.npy</code></li>
<tbody class="band">
WORDS
grep -qF "<dt>goldml</dt><dd>$(cd box && "$tool" --version | tr -d '\r' | sed 's/goldml //')</dd>" $page || problem+=' no version'
grep -qE '<path class="c[1-5N]" d="M' $page || problem+=' no map'
report '37.9: totals, call, date, seed, version, index, missing files, map and histogram' "$problem"
cp $page first
(cd box && "$tool" check corpus --actual-dir actual --report page >/dev/null 2>&1) || true
report '37.9: the same page for the same SOURCE_DATE_EPOCH' "$(cmp first $page 2>&1)"
(cd box && SOURCE_DATE_EPOCH=soon "$tool" check corpus --actual-dir actual --report page >/dev/null 2>&1) || true
report '37.9: without it the date is now' "$(grep -q "<dd>$(date -u +%Y)-.*UTC</dd>" $page || echo 'another year')"
unset SOURCE_DATE_EPOCH
grep -q "goldml check 'corpus/argmin_000002.json' --actual 'OutputTensor=actual/argmin_000002.OutputTensor.npy'" $page ||
  report 'the page has the command' none
command=$(grep -o "^<pre>goldml check 'corpus/argmin_000002.*" $page | sed 's/^<pre>goldml //; s/<.pre>$//')
got=0
(cd box && eval "$tool $command" >"$work/out" 2>"$work/err") || got=$?
report 'the command of the page repeats it' "$([[ $got == 1 ]] || echo "status $got")"
printf '\1\2\3\4\5\6\0\0' >box/last_row.bin
expect '37.9: a page of one model' 1 '~differs' '' check --actual OutputTensor=last_row.bin --report row_page \
  --case 'FILL_VALUE_SEQUENCE OutputTensor=UINT8{4,2} ValueStart=UINT8:0x01 ValueDelta=UINT8:0x01'
report '37.9: the page says what is plain about the differences' \
  "$(grep -qE '^<p class="plain">.*the last row' box/row_page/index.html || echo 'nothing')"
if [[ -z ${GOLDML_WINE:-} ]]; then  # Windows has no such names
  mkdir 'box/<b>'
  cp box/corpus/argmin_00000[24].* 'box/<b>/'
  cp box/corpus/argmin_000002.json 'box/<b>/"><script>alert(1)<script>.json'
  cp box/corpus/argmin_000004.json 'box/<b>/&lt;<i onclick=x>.json'
  expect 'the page escapes names' 1 '~differs' '' check '<b>' --actual-dir actual --unverified --report escaped
  report 'the page has no markup of names' "$(grep -E '<b>|<script|<i on|&lt;b>' box/escaped/index.html || true)"
  page_is_sound '37.9: a page of names with markup' box/escaped/index.html
fi

# On a terminal, and not on a terminal
if [[ -z ${GOLDML_WINE:-} ]]; then
  on_terminal() { (cd box && script -qec "$*" /dev/null </dev/null >"$work/out" 2>"$work/err") || true; }
  red=$'\x1b[31m'
  TERM=xterm NO_COLOR='' on_terminal "$tool" check corpus --actual-dir actual
  report 'a terminal has colour' "$(grep -qF "$red" "$work/out" || echo none)"
  TERM=xterm NO_COLOR=1 on_terminal "$tool" check corpus --actual-dir actual
  report 'NO_COLOR: none' "$(grep -F "$red" "$work/out" || true)"
  TERM=dumb NO_COLOR='' on_terminal "$tool" check corpus --actual-dir actual
  report 'TERM=dumb: none' "$(grep -F "$red" "$work/out" || true)"
  (cd box && TERM=xterm "$tool" check corpus --actual-dir actual >"$work/out" 2>"$work/err") || true
  report 'a pipe has no colour' "$(cat "$work/out" "$work/err" | grep $'\x1b' || true)"
  (cd box && timeout 2 script -qec "$tool generate ARGMIN --count 1000000 --output-dir slow" /dev/null </dev/null >"$work/out" 2>"$work/err") || true
  report 'a terminal has progress after a second, with an estimate' \
    "$(grep -qE 'generate: \[=* *\] [0-9]+/1000000, .* left' "$work/out" || echo none)"
  (cd box && timeout 1.5 "$tool" generate ARGMIN --count 1000000 --output-dir piped >"$work/out" 2>"$work/err" </dev/null) || true
  report 'a pipe has no progress' "$([[ ! -s $work/err && ! -s $work/out ]] || echo some)"
  # 16 million elements on `reference`: a second or more, of an optimised build only if it is done more often.
  for dispatches in 16 96; do
    {
      echo '{ "resources": { "in": { "initialValuesDataType": "UINT8", "initialValues": { "valueCount": 16777216, "value": 1 } },'
      echo '  "out": { "initialValuesDataType": "UINT32", "initialValues": [7] } },'
      echo '  "dispatchables": { "op": { "type": "ARGMIN", "InputTensor": { "DataType": "UINT8", "Sizes": [16777216] },'
      echo '    "OutputTensor": { "DataType": "UINT32", "Sizes": [1] }, "AxisCount": 1, "Axes": [0], "AxisDirection": "INCREASING" } },'
      echo '  "commands": ['
      for ((i = 0; i < dispatches; ++i)); do
        echo '    { "type": "dispatch", "dispatchable": "op", "bindings": { "InputTensor": "in", "OutputTensor": "out" } },'
      done
      echo '    { "type": "print", "resource": "out" } ] }'
    } >box/long.json
    on_terminal "$tool" run long.json --backend reference
    if grep -qE 'run: \[=* *\] [0-9]+/[0-9]+, .* left' "$work/out"; then break; fi
  done
  report 'a long model has progress on a terminal' "$(grep -qE 'run: \[=* *\] [0-9]+/[0-9]+, .* left' "$work/out" || echo none)"
  report 'and is removed before something is printed' "$(grep -qE $'\r *\rResource .out.: 0' "$work/out" || echo no)"
  (cd box && "$tool" run long.json --backend reference >"$work/out" 2>"$work/err" </dev/null) || true
  report 'a long model has no progress in a pipe' "$([[ ! -s $work/err && $(wc -l <"$work/out") == 1 ]] || echo some)"
fi

# A2: models with several dispatches
mkdir box/chain box/chain_actual
cp "$source/docs/models/two_products.json" box/chain/products.json
(cd box && "$tool" run chain/products.json --output-dir chain_actual >"$work/out" 2>"$work/err" </dev/null) || true
out='--actual out=chain_actual/out.npy'
expect 'A2: an intermediate that is not given' 3 \
  "~^GEMM: cannot be judged in full: .*"$'\n'"  not given: 'p'; add --actual p=FILE"$'\n'".* 0 compared, 0 ignored, 0 differ"$'\n'"  note: 4 not judged: " \
  '' check chain/products.json $out
expect 'A2: the same as JSON' 3 \
  '~"outcome":"depends","compared":0,"differing":0,"depending":4,"give":\["p"\],"report":"GEMM: .*"undefined":0,"depends":1,.*"status":3' \
  '' check chain/products.json $out --json
cp "$work/out" box/depends.json
expect 'A2: the same, merged' 3 '~GEMM +0 +0 +0 +0 +0 +0 +1 +0'$'\n''elements that depend on what is not known of an intermediate: 4' '' \
  merge depends.json
expect 'A2: the same, merged as JSON' 3 '~"depending":4,"give":\["p"\]' '' merge depends.json --json
sed 's/"give":\["p"\]/"give":[1]/' box/depends.json >box/no_name.json
refused 'M2: what is not the name of a resource' '~M2: give is 1, wanted ' merge no_name.json
expect 'A2: the same, as a page' 3 '~cannot be judged' '' check chain/products.json $out --report chain_page
problem=''
grep -q '<span class="bad">depends</span>' box/chain_page/index.html || problem+=' no outcome'
grep -qF "add --actual p=FILE" box/chain_page/index.html || problem+=' no report'
report 'A2: the page has what to give' "$problem"
expect 'A2: the intermediate is given' 0 '~GEMM: agrees.*4 compared.*GEMM: agrees.*4 compared' '' \
  check chain/products.json $out --actual p=chain_actual/p.npy
expect 'A2: in a corpus it is given if the model writes it' 0 '~GEMM +1 +0 +0 +0 +0 +0 +0 +8' '' \
  check --unverified chain --actual-dir chain_actual
cp box/chain_actual/p.npy box/wrong.npy
printf '\x41' | dd of=box/wrong.npy bs=1 seek=131 conv=notrunc status=none  # p{0,0} = 8.8
expect 'A2: a wrong intermediate' 1 "~GEMM: differs.*GEMM: differs"$'\n'"  judged from the device's own 'p', which differs" '' \
  check chain/products.json $out --actual p=wrong.npy
expect 'A2: a wrong result' 1 '~GEMM: agrees.*GEMM: differs' '' \
  check chain/products.json --actual out=wrong.npy --actual p=chain_actual/p.npy
sed -i '/"p.npy"/d' box/chain/products.json
expect 'A2: a corpus without it' 3 '~^products.json: GEMM: cannot be judged.*GEMM +0 +0 +0 +0 +0 +0 +1 +0' '' \
  check --unverified chain --actual-dir chain_actual

# Completion
complete_with_bash() {  # complete_with_bash WORD...: the completions of the last word
  bash -c 'source /dev/stdin; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _goldml; printf "%s\n" "${COMPREPLY[@]}"' - "$@" <<<"$script"
}
for shell in bash zsh fish; do
  expect "completion $shell" 0 '~goldml' '' completion $shell
  [[ $shell != bash ]] || script=$(cat "$work/out")
  if command -v $shell >/dev/null; then
    report "completion $shell: its syntax" "$($shell -n "$work/out" 2>&1)"
  else
    echo "not run: completion $shell: its syntax ($shell is not installed)"
  fi
done
completes() {  # completes NAME WANTED WORD...
  local name=$1 wanted=$2 got
  got=$(complete_with_bash "${@:3}" | sort | tr '\n' ' ')
  report "completion: $name" "$([[ $got == "$wanted " ]] || echo "'$got', wanted '$wanted'")"
}
completes 'commands' 'run' goldml ru
completes 'options' '--backend --beside-model' goldml run --b
completes 'values of an option' 'reference' goldml run --backend re
completes 'operators' 'ARGMAX ARGMIN' goldml generate ARG
completes '37.6: operators of list' 'ARGMAX ARGMIN' goldml list ARG
completes '37.6: another operator of generate' 'SLICE1' goldml generate ARGMIN SLICE1
completes '37: --dxdispatch-format' '--dxdispatch-format' goldml run --dx
completes 'an option with its value before' '--seed' goldml generate ARGMIN --count 3 --see
refused 'completion of another shell' '~SHELL.*tcsh' completion tcsh

summary
