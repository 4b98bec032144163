#!/usr/bin/env python3
"""check_mappings.py TOOL SOURCE_DIR: docs/from-onnx.md and docs/from-webnn.md have every operator of the other
specification, and the block under a table has the rows of the table: the lines of their operators, in their order. What
the third column shows is in a line, and a policy in every line. `goldml run` prints what the page says of a line, and
something else without the policy."""
import collections
import math
import pathlib
import re
import subprocess
import sys

tool, source = sys.argv[1], pathlib.Path(sys.argv[2])
names = {
    'from-onnx.md':
        '''Abs Acos Acosh Add AffineGrid And ArgMax ArgMin Asin Asinh Atan Atanh AveragePool BatchNormalization Bernoulli
        BitShift BitwiseAnd BitwiseNot BitwiseOr BitwiseXor BlackmanWindow Cast CastLike Ceil Celu CenterCropPad Clip
        Col2Im Compress Concat ConcatFromSequence Constant ConstantOfShape Conv ConvInteger ConvTranspose Cos Cosh
        CumSum DFT DeformConv DepthToSpace DequantizeLinear Det Div Dropout DynamicQuantizeLinear Einsum Elu Equal Erf
        Exp Expand EyeLike Flatten Floor GRU Gather GatherElements GatherND Gelu Gemm GlobalAveragePool GlobalLpPool
        GlobalMaxPool Greater GreaterOrEqual GridSample GroupNormalization HammingWindow HannWindow HardSigmoid
        HardSwish Hardmax Identity If ImageDecoder InstanceNormalization IsInf IsNaN LRN LSTM LayerNormalization
        LeakyRelu Less LessOrEqual Log LogSoftmax Loop LpNormalization LpPool MatMul MatMulInteger Max MaxPool
        MaxRoiPool MaxUnpool Mean MeanVarianceNormalization MelWeightMatrix Min Mish Mod Mul Multinomial Neg
        NegativeLogLikelihoodLoss NonMaxSuppression NonZero Not OneHot Optional OptionalGetElement OptionalHasElement Or
        PRelu Pad Pow QLinearConv QLinearMatMul QuantizeLinear RNN RandomNormal RandomNormalLike RandomUniform
        RandomUniformLike Range Reciprocal ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin
        ReduceProd ReduceSum ReduceSumSquare RegexFullMatch Relu Reshape Resize ReverseSequence RoiAlign Round STFT Scan
        Scatter ScatterElements ScatterND Selu SequenceAt SequenceConstruct SequenceEmpty SequenceErase SequenceInsert
        SequenceLength SequenceMap Shape Shrink Sigmoid Sign Sin Sinh Size Slice Softmax SoftmaxCrossEntropyLoss
        Softplus Softsign SpaceToDepth Split SplitToSequence Sqrt Squeeze StringConcat StringNormalizer StringSplit Sub
        Sum Tan Tanh TfIdfVectorizer ThresholdedRelu Tile TopK Transpose Trilu Unique Unsqueeze Upsample Where Xor''',
    'from-webnn.md':
        '''abs add argMax argMin averagePool2d batchNormalization build cast ceil clamp concat constant conv2d
        convTranspose2d cos cumulativeSum dequantizeLinear div elu equal erf exp expand floor gather gatherElements
        gatherND gelu gemm greater greaterOrEqual gru gruCell hardSigmoid hardSwish identity input instanceNormalization
        isInfinite isNaN l2Pool2d layerNormalization leakyRelu lesser lesserOrEqual linear log logicalAnd logicalNot
        logicalOr logicalXor lstm lstmCell matmul max maxPool2d min mul neg notEqual pad pow prelu quantizeLinear
        reciprocal reduceL1 reduceL2 reduceLogSum reduceLogSumExp reduceMax reduceMean reduceMin reduceProduct reduceSum
        reduceSumSquare relu resample2d reshape reverse roundEven scatterElements scatterND sigmoid sign sin slice
        softmax softplus softsign split sqrt sub tan tanh tile transpose triangular where'''}
# Policies that change what a device may answer, but no golden value.
of_verdicts = {'lp_epsilon', 'padded_rows'}
row_type = collections.namedtuple('row_type', 'name operators pending shown lines')
failures = []
runs = 0


def words_of(line):
    return dict(re.findall(r' (\w+)=(\S+)', line))


def policies_of(line):
    return {word for word in words_of(line) if word.islower() and word not in ('feature_level', 'data', 'seed')}


def run(line):
    """What is printed of each output, without the padding of its buffer; the message of a refusal."""
    global runs
    runs += 1
    done = subprocess.run([tool, 'run', '--case', line], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return [f'status {done.returncode}: {done.stderr.strip()}']
    counts = {}
    for name, value in words_of(line).items():
        tensors = value[1:-1].split(';') if value[0] == '[' else [value]
        for i, tensor in enumerate(tensors):
            if sizes := re.match(r'[A-Z]+\d+\{([\d,]+)\}', tensor):
                counts[f'{name}{i}' if value[0] == '[' else name] = math.prod(map(int, sizes[1].split(',')))
    result = []
    for printed in done.stdout.splitlines():
        name, values = re.fullmatch(r"Resource '(\w+)': (.*)", printed).groups()
        result.append(f'{name}: {", ".join(values.split(", ")[:counts[name]])}')
    return result


def rows_of(page):
    """The rows of the tables; of each, the lines of its block with what they print."""
    rows = {}
    for section in re.split(r'^## ', page.read_text(), flags=re.M)[1:]:
        of_table = []
        for cells in re.findall(r'^\|(.*)\|$', section, re.M)[2:]:
            name, operators, shown, _ = map(str.strip, cells.split('|'))
            if name in rows:
                failures.append(f'{page.name}: {name}: two rows')
            rows[name] = row_type(name, re.findall(r'[A-Z][A-Z0-9_]+', operators), operators.endswith('not computed yet'),
                                  re.findall(r'`(\w+=[^`]*)`', shown), [])
            if not rows[name].operators and operators not in ('no counterpart', 'none needed', 'composed'):
                failures.append(f'{page.name}: {name}: neither operators nor a reason: {operators}')
            if rows[name].operators:
                of_table.append(name)
        of_block = []
        for text in re.findall(r'^```text\n(.*?)^```', section, re.M | re.S):
            for line in filter(None, text.split('\n')):
                if line.startswith('# '):
                    of_block.append(line[2:])
                    lines = rows[line[2:]].lines if line[2:] in rows else []
                elif line.startswith('  '):
                    lines[-1][1].append(line[2:])
                else:
                    lines.append((line, []))
        if of_block != of_table:
            failures.append(f'{page.name}: {section.splitlines()[0]}: the block has {of_block}, the table {of_table}')
    return rows.values()


def check(page, row):
    def fail(text):
        failures.append(f'{page.name}: {row.name}: {text}')

    operators = [line.split()[0] for line, _ in row.lines]
    if [o for i, o in enumerate(operators) if i == 0 or o != operators[i - 1]] != row.operators:
        fail(f'the lines are of {operators}, the row is of {row.operators}')
    policies = {word.split('=')[0] for word in row.shown if word.split('=')[0].islower()}
    for word in row.shown:
        if not any(f' {word} ' in line + ' ' for line, _ in row.lines):
            fail(f'no line has {word}')
    for line, printed in row.lines:
        if policies_of(line) != policies:
            fail(f'the row has the policies {policies}, not those of {line}')
        result = run(line)
        if row.pending:  # the page has what it should print
            if 'goldml does not compute yet' not in result[0]:
                fail(f'it is computed now: {line}\n  prints {result}')
            continue
        if result != printed:
            fail(f'{line}\n  prints {result}\n  page   {printed}')
        for policy in policies_of(line) - of_verdicts:
            if run(re.sub(rf' {policy}=\S+', '', line)) == result:
                fail(f'{policy} changes nothing: {line}')


for file, wanted in names.items():
    page = source / 'docs' / file
    rows = rows_of(page)
    found = {name for row in rows for name in row.name.split(':')[0].split(', ')}
    if missing := set(wanted.split()) - found:
        failures.append(f'{file}: no row for {", ".join(sorted(missing))}')
    for row in rows:
        check(page, row)
    print(f'{file}: {len(rows)} rows, {sum(len(row.lines) for row in rows)} lines')

print(*failures, f'{runs} runs, {len(failures)} failures', sep='\n')
sys.exit(1 if failures or runs == 0 else 0)
