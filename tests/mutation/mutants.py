"""Finds the places of a C++ header where a small fault can be put, and writes headers that hold many faults at once, of
which one is chosen at run time (mutant.hpp). Works on tokens, of code as clang-format writes it: binary operators have
spaces around them, template arguments have none."""
import re
from typing import NamedTuple

TOKEN = re.compile(
    r"""(?P<skip>[ \t\n]+|//[^\n]*|/\*.*?\*/|(?:(?<=\n)|^)[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)
      |(?P<text>(?:u8|[LuU])?"(?:[^"\\\n]|\\.)*"|(?<![0-9A-Fa-f])'(?:[^'\\\n]|\\.)+')
      |(?P<number>\.?[0-9](?:[0-9A-Za-z_.]|'[0-9A-Fa-f]|(?<=[eEpP])[+-])*)
      |(?P<name>[A-Za-z_][A-Za-z_0-9]*)
      |(?P<mark><=>|->\*|\.\.\.|(?<=[ ])<<=|(?<=[ ])>>=|(?<=[ ])<<(?=[ ])|(?<=[ ])>>(?=[ ])|<=|(?<=[ ])>=|==|!=|\+\+|--|->|::|&&|\|\|
        |[-+*/%&|^]=|.)""", re.VERBOSE | re.DOTALL)

PAIRS = {"(": ")", "[": "]", "{": "}"}
RELATIONS = {"<": [("<", "l"), ("<", ">")], "<=": [("l", "<"), ("l", "g")], ">": [(">", "g"), (">", "<")],
             ">=": [("g", ">"), ("g", "l")], "==": [("=", "!")], "!=": [("!", "=")]}
ARITHMETIC = {"+": ("+", "-"), "-": ("-", "+"), "*": ("*", "+"), "/": ("/", "*"), "%": ("%", "/"), "<<": ("L", "R"),
              ">>": ("R", "L"), "&": ("&", "|"), "|": ("|", "&"), "^": ("^", "|")}
SIGNS = {"l": "<=", "g": ">=", "=": "==", "!": "!=", "L": "<<", "R": ">>"}
TAG_MARKS = {"-": "+", "/": "*", "%": "*", ">>": "<<"}  # what stands beside a tag: of the same precedence
NO_CALLS = {"if", "for", "while", "switch", "return", "throw", "else", "do", "case", "default", "using", "static_assert",
            "break", "continue", "goto", "delete", "new", "constexpr", "const", "auto", "static", "template", "typename",
            "friend", "explicit", "public", "private", "protected", "operator", "noexcept", "requires", "sizeof"}


class Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


class Mutant(NamedTuple):
    header: str
    kind: str
    line: int  # from 1
    text: str  # the line, without its comment
    number: int  # among those of its kind on lines of this text
    edits: tuple  # (start, end, what stands there instead), in which @ is the mutant's number; in order

    def key(self):
        return f"{self.header} {self.kind} {self.number}\n{self.text}"


def tokens_of(source):
    found = []
    for match in TOKEN.finditer(source):
        if match.lastgroup != "skip":
            found.append(Token(match.lastgroup, match.group(), match.start(), match.end()))
    return found


class Header:
    def __init__(self, name, source):
        self.name, self.source = name, source
        self.tokens = tokens_of(source)
        self.texts = [t.text for t in self.tokens]
        self.skipped = [False] * len(self.tokens)
        self.partner = {}
        self.pair_brackets()
        self.skip_places()
        self.skip_windows()
        self.found = []  # (kind, token, edits)

    def gap_before(self, i):
        return i == 0 or self.tokens[i - 1].end != self.tokens[i].start

    def gap_after(self, i):
        return i + 1 == len(self.tokens) or self.tokens[i].end != self.tokens[i + 1].start

    def binary(self, i):
        """A mark with a space, or the end of a line, on both sides."""
        return 0 < i < len(self.tokens) - 1 and self.gap_before(i) and self.gap_after(i)

    def pair_brackets(self):
        stack = []
        for i, text in enumerate(self.texts):
            if self.tokens[i].kind != "mark":
                continue
            if text in PAIRS:
                stack.append(i)
            elif text in PAIRS.values() and stack:
                self.partner[stack[-1]] = i
                self.partner[i] = stack.pop()

    def angle_end(self, i):
        """The `>` of the `<` at i, which begins template arguments; None when it does not."""
        depth = 0
        while i < len(self.tokens):
            text = self.texts[i]
            if text in PAIRS and i in self.partner:
                i = self.partner[i]
            elif text == "<" and not self.binary(i):
                depth += 1
            elif text == ">":
                depth -= 1
                if depth == 0:
                    return i
            elif text in (";", "{", "}", ")"):
                return None
            i += 1
        return None

    def skip(self, first, last):
        for i in range(first, min(last + 1, len(self.tokens))):
            self.skipped[i] = True

    def statement_end(self, i):
        """The `;` that ends what token i is in, or a `{` at its depth."""
        while i < len(self.tokens) and self.texts[i] != ";":
            i = self.partner[i] if self.texts[i] in PAIRS and i in self.partner else i
            i += 1
        return i

    def skip_windows(self):
        """What is compiled on Windows alone."""
        for part in re.finditer(r"^#ifdef _WIN32$.*?^#(?:else|endif)", self.source, re.MULTILINE | re.DOTALL):
            for i, token in enumerate(self.tokens):
                if part.start() <= token.start < part.end():
                    self.skipped[i] = True

    def skip_places(self):
        """What the compiler decides, and declarations that are no code."""
        for i, text in enumerate(self.texts):
            previous = self.texts[i - 1] if i else ""
            following = self.texts[i + 1] if i + 1 < len(self.texts) else ""
            if text == "<" and not self.binary(i) and previous != "operator":
                end = self.angle_end(i)
                if end is not None:
                    self.skip(i, end)
            elif text == "template":
                end = self.angle_end(i + 1) if following == "<" else None
                if end is not None:
                    self.skip(i, end)
            elif text in ("static_assert", "noexcept", "decltype", "sizeof", "alignas", "explicit") and following == "(":
                self.skip(i, self.partner.get(i + 1, i))
            elif text == "requires":
                end = self.source.index("\n", self.tokens[i].end)
                last = i
                while last + 1 < len(self.tokens) and self.tokens[last + 1].start < end:
                    last += 1
                    if self.texts[last] in PAIRS and last in self.partner:
                        if self.texts[last] == "{" and self.texts[i + 1] != "(":
                            break
                        last = max(last, self.partner[last])
                self.skip(i, last)
            elif text == "constexpr" and previous == "if":
                self.skip(i, self.partner.get(i + 1, i))
            elif text == "constexpr" or text == "constinit":
                self.skip_constant(i)
            elif text in ("using", "typedef", "extern", "friend", "concept", "__attribute__", "asm"):
                self.skip(i, self.statement_end(i))
            elif text == "enum":
                self.skip(i, self.statement_end(i))
            elif text == "case":
                end = i
                while self.texts[end] != ":":
                    end += 1
                self.skip(i, end)
            elif text == "operator":
                self.skip(i, i + 2)
            elif text == "[" and following == "[":
                self.skip(i, self.partner.get(i, i))

    def skip_constant(self, i):
        """constexpr TYPE NAME = ...; or with braces; a function's declaration alone stays."""
        j = i
        while j < len(self.tokens):
            text = self.texts[j]
            if text == "<" and not self.binary(j) and self.angle_end(j) is not None:
                j = self.angle_end(j)
            elif text in ("=", "{") or (text == ";" and j > i):
                self.skip(i, self.statement_end(j))
                return
            elif text in ("(", ")", "["):
                return
            j += 1

    # --- what an operand is

    def forwards(self, i, stops):
        """The last token of the operand that begins at i."""
        while i + 1 < len(self.tokens):
            if self.texts[i] in PAIRS and i in self.partner:
                i = self.partner[i]
            if self.texts[i + 1] in stops:
                return i
            i += 1
        return None

    def backwards(self, i, stops):
        """The first token of the operand that ends at i."""
        while i > 0:
            if self.texts[i] in PAIRS.values() and i in self.partner:
                i = self.partner[i]
            if self.texts[i - 1] in stops:
                return i
            i -= 1
        return None

    ENDS = {"?", ":", ",", ";", ")", "]", "}", "{", "="}
    BEGINS = {"(", ",", ";", "{", "}", "return", "=", "?", ":", "[", "+=", "-=", "|=", "&=", "throw", "else", "case"}

    def add(self, kind, i, *edits):
        if not self.skipped[i]:
            self.found.append((kind, i, tuple(edits)))

    def wrap(self, kind, i, first, last, before, after):
        if first is None or last is None or last < first or any(self.skipped[k] for k in (first, i)):
            return
        start, end = self.tokens[first].start, self.tokens[last].end
        self.add(kind, i, (start, start, before), (end, end, after))

    def find(self):
        for i, token in enumerate(self.tokens):
            if self.skipped[i]:
                continue
            if token.kind == "mark":
                self.find_mark(i, token)
            elif token.kind == "number":
                self.find_number(i, token)
            elif token.kind == "name":
                self.find_name(i, token)
        return self.named()

    def find_mark(self, i, token):
        text, start, end = token.text, token.start, token.end
        if text in RELATIONS and self.binary(i):
            for was, becomes in RELATIONS[text]:
                tag = f"mutant::as<'{was}', '{becomes}'>{{@}}"
                mark = f"== {tag} ==" if text in ("==", "!=") else f"<{tag}>"
                self.add(f"{text}becomes{SIGNS.get(becomes, becomes)}", i, (start, end, mark))
        elif text in ARITHMETIC and self.binary(i):
            was, becomes = ARITHMETIC[text]
            mark = TAG_MARKS.get(text, text)
            self.add(f"{text}becomes{SIGNS.get(becomes, becomes)}", i,
                     (start, end, f"{mark} mutant::as<'{was}', '{becomes}'>{{@}} {mark}"))
        elif text in ("&&", "||") and self.binary(i) and "..." not in self.texts[i - 1:i + 2]:
            lower = {"||"} if text == "||" else {"||", "&&"}
            before, after = ("(mutant::on(@) || (", "))") if text == "&&" else ("(!mutant::on(@) && (", "))")
            self.wrap(f"{text}without-right", i, i + 1, self.forwards(i + 1, self.ENDS | lower), before, after)
            self.wrap(f"{text}without-left", i, self.backwards(i - 1, self.BEGINS | lower), i - 1, before, after)
        elif text == "!" and not self.gap_after(i):
            self.add("!dropped", i, (start, end, "mutant::flip{@} ->* "))
        elif text == "?" and self.binary(i):
            first = self.backwards(i - 1, self.BEGINS | {"<<"})
            self.wrap("?inverse", i, first, i - 1, "mutant::inverse(@, static_cast<bool>(", "))")
        elif text == "[" and i and re.search("size|stride|offset|dim", self.texts[i - 1]) and i in self.partner:
            if self.partner[i] > i + 1:
                self.wrap("index+1", i, i + 1, self.partner[i] - 1, "mutant::next(@, ", ")")
        elif text in ("{", ";", "}", ")", ":"):
            self.find_statement(i + 1)

    def find_number(self, i, token):
        if not re.fullmatch("[0-9]{1,2}", token.text) or self.texts[i - 1] in (".",):
            return
        self.add("literal+1", i, (token.start, token.end, f"mutant::literal(@, {token.text}, 1)"))
        if token.text != "0":
            self.add("literal-1", i, (token.start, token.end, f"mutant::literal(@, {token.text}, -1)"))

    def find_name(self, i, token):
        following = self.texts[i + 1] if i + 1 < len(self.tokens) else ""
        if token.text in ("true", "false"):
            self.add("bool", i, (token.start, token.end, f"mutant::inverse(@, {token.text})"))
        elif token.text in ("if", "while") and following == "(" and i + 1 in self.partner:
            end = self.partner[i + 1] - 1
            first = i + 2
            for k in range(i + 2, end):
                if self.texts[k] == ";":
                    first = k + 1
            if "=" in self.texts[first:end + 1] and not any(b in self.texts[first:end + 1] for b in "{["):
                return  # a declaration
            if token.text == "if":
                self.wrap("if-never", i, first, end, "mutant::never(@, static_cast<bool>(", "))")
                self.wrap("if-inverse", i, first, end, "mutant::inverse(@, static_cast<bool>(", "))")
            else:
                self.wrap("while-never", i, first, end, "mutant::never(@, static_cast<bool>(", "))")
        elif token.text in ("min", "max") and self.texts[i - 2:i] == ["std", "::"]:
            self.add(f"{token.text}swapped", i, (self.tokens[i - 2].start, token.end,
                                                 f"mutant::extreme<@, {str(token.text == 'min').lower()}>::of"))
        elif following == "(" and token.text not in NO_CALLS and i + 1 in self.partner:
            self.find_swap(i + 1)
        elif token.text in ("else", "do"):
            self.find_statement(i + 1)

    def find_swap(self, opening):
        """Two arguments, each a name with members."""
        inside = self.source[self.tokens[opening].end:self.tokens[self.partner[opening]].start]
        match = re.fullmatch(r"([A-Za-z_][\w.]*(?:\[\w+\])?), ([A-Za-z_][\w.]*(?:\[\w+\])?)", inside)
        if match and match[1] != match[2]:
            start, end = self.tokens[opening].end, self.tokens[self.partner[opening]].start
            a, b = match[1], match[2]
            self.add("arguments-swapped", opening,
                     (start, end, f"mutant::pick(@, {a}, {b}), mutant::pick(@, {b}, {a})"))

    def find_statement(self, i):
        """A call, an assignment, ++x or --x that is a statement, and continue; or break;: left out."""
        if i >= len(self.tokens) or self.skipped[i]:
            return
        previous = self.texts[i - 1]
        if previous == ")":
            opening = self.partner.get(i - 1, 0)
            if self.texts[opening - 1] not in ("if", "for", "while"):
                return
        if previous == ";" and self.in_for_head(i):
            return
        j = i
        if self.texts[j] in ("continue", "break", "throw") or self.texts[j:j + 2] == ["return", ";"]:
            j = self.statement_end(j)
        else:
            if self.texts[j] in ("++", "--"):
                j += 1
            called = self.texts[i] in ("++", "--")
            if self.tokens[j].kind != "name" or self.texts[j] in NO_CALLS:
                return
            while True:  # a.b(c)[d]
                j += 1
                if j >= len(self.tokens):
                    return
                if self.texts[j] in ("(", "[") and j in self.partner:
                    called = called or self.texts[j] == "("
                    j = self.partner[j]
                elif self.texts[j] in (".", "->", "::") and self.tokens[j + 1].kind == "name":
                    j += 1
                else:
                    break
            if self.texts[j] in ("=", "+=", "-=", "|=", "&=", "*=", "/=", "^=", "<<=", ">>=") and self.texts[j + 1] not in ("default", "delete"):
                j = self.statement_end(j)
            elif self.texts[j] != ";" or not called:
                return
        self.wrap("statement-dropped", i, i, j, "{ if (!mutant::on(@)) ", " }")

    def in_for_head(self, i):
        """Whether token i is between the parentheses of a `for`."""
        depth = 0
        while i > 0:
            i -= 1
            if self.texts[i] in PAIRS.values() and i in self.partner:
                i = self.partner[i]
            elif self.texts[i] == "(":
                return self.texts[i - 1] == "for"
            elif self.texts[i] == "{":
                return False
        return False

    def named(self):
        lines = self.source.split("\n")
        starts, numbers, at = [], {}, 0
        for line in lines:
            starts.append(at)
            at += len(line) + 1
        for kind, i, edits in sorted(self.found, key=lambda f: self.tokens[f[1]].start):
            line = self.source.count("\n", 0, self.tokens[i].start)
            text = re.sub(r" *//.*", "", lines[line]).strip()
            number = numbers[kind, text] = numbers.get((kind, text), 0) + 1
            yield Mutant(self.name, kind, line + 1, text, number, tuple(edits))


def find(name, source):
    return list(Header(name, source).find())


def lines_of(mutant, source):
    """All lines that its edits touch."""
    places = [source.count("\n", 0, at) + 1 for start, end, _ in mutant.edits for at in (start, end)]
    return set(range(min(places), max(places) + 1)) | {mutant.line}


def written(source, mutants):
    """The header with all these (number, Mutant) in it. No two of them touch the same line at their beginnings."""
    edits = []
    for number, mutant in mutants:
        for start, end, text in mutant.edits:
            edits.append((start, end, text.replace("@", str(number))))
    for start, end, text in sorted(edits, reverse=True):
        source = source[:start] + text + source[end:]
    pragma = source.index("#pragma once\n") + len("#pragma once\n")
    line = source.count("\n", 0, pragma) + 1
    return source[:pragma] + f"#include <goldml/mutant.hpp>\n#line {line}\n" + source[pragma:]


def from_fault(header, source, before, after):
    """The fault that stands instead of a line, as a mutant; None where the two lines cannot stand side by side."""
    lines = source.split("\n")
    places = [i for i, line in enumerate(lines) if line.strip() == before]
    if len(places) != 1:
        raise ValueError(f"{header}: the line is there {len(places)} times: {before}")
    indented = lines[places[0]]
    start = sum(len(line) + 1 for line in lines[:places[0]]) + len(indented) - len(indented.lstrip())
    text = side_by_side(before, after)
    if text is None:
        return None
    return Mutant(header, "by-hand", places[0] + 1, before, 1, ((start, start + len(before), text),))


def side_by_side(before, after):
    def both(pattern):
        found = [re.fullmatch(pattern, line) for line in (before, after)]
        return found if all(found) else None

    if pair := both(r"return ([^{].*);"):
        return f"return mutant::on(@) ? ({pair[1][1]}) : ({pair[0][1]});"
    if pair := both(r"if \(([^;=]*(?:[=!<>]=[^;=]*)*)\)( [^()]*(?:\(.*\))?[^()]*|)"):
        if pair[0][2] == pair[1][2]:
            return f"if (mutant::on(@) ? ({pair[1][1]}) : ({pair[0][1]})){pair[0][2]}"
    if pair := both(r"((?:(?:const )?\w+(?:::\w+)? )?[\w.\[\]]+ =) ([^{].*);"):
        if pair[0][1] == pair[1][1]:
            return f"{pair[0][1]} mutant::on(@) ? ({pair[1][2]}) : ({pair[0][2]});"
    statement = r"(?!(?:const|auto|bool|else|return|std::\w+)[ {]).*;"
    if both(statement) and all(line.count("(") == line.count(")") for line in (before, after)):
        return f"if (mutant::on(@)) {{ {after} }} else {{ {before} }}"
    return None
