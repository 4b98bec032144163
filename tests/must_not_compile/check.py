#!/usr/bin/env python3
"""check.py COMPILER SOURCE_DIR: of each file here the compiler refuses exactly the lines that end in "// error" or
"// says: WORDS"; its errors then contain these words. All other lines are legal. Each file is compiled once."""
import pathlib
import re
import subprocess
import sys

compiler, source_dir = sys.argv[1:]
flags = ['-std=c++20', '-isystem', '/usr/include/eigen3', f'-I{source_dir}/include', '-fsyntax-only']
if 'clang' in subprocess.run([compiler, '--version'], capture_output=True, text=True, check=True).stdout:
    flags.append('-ferror-limit=0')
# Lines of GCC and Clang about what an error belongs to that come before it.
context = re.compile(r'In file included from |\S+: In |\S+   (required|in .constexpr. expansion)')


def errors_of(output):
    """The lines of the source with an error, each with what the compiler says. An error in a header that names no line
    of the source follows from the one before."""
    paragraphs, before = [[]], []  # `before` belongs to the error or note that follows
    for line in output.splitlines():
        if before or context.match(line):
            before.append(line)
        else:
            paragraphs[-1].append(line)
        if ' error: ' in line:
            paragraphs.append(before or [paragraphs[-1].pop()])
            before = []
        elif ' note: ' in line:
            paragraphs[-1] += before
            before = []
    errors, lines = {}, {0}
    for paragraph in map('\n'.join, paragraphs):
        if ' error: ' in paragraph:
            lines = {int(line) for line in re.findall(r'^<stdin>:(\d+):\d+:', paragraph, re.M)} or lines
            for line in lines & set(wanted) or lines:
                errors[line] = errors.get(line, '') + paragraph + '\n'
    return errors


passed = failed = 0
for file in sorted(pathlib.Path(__file__).parent.glob('*.cpp')):
    marked = [re.match(r'(.*?)(?:// (error|says: (.*)))?$', line) for line in file.read_text().splitlines()]
    wanted = {number: line[3] or '' for number, line in enumerate(marked, 1) if line[2]}
    source = '\n'.join(line[1] for line in marked)  # without the comments, which the compiler would quote
    result = subprocess.run([compiler, *flags, '-x', 'c++', '-'], input=source + '\n', capture_output=True, text=True,
                            check=False)
    errors = errors_of(result.stderr)
    for line in sorted({*wanted, *errors}):
        text = errors.get(line, '')
        problem = ('must compile' if line not in wanted else 'compiles, and must not' if not text else
                   f'does not say: {wanted[line]}' if wanted[line] not in text else '')
        print(f'{file.name}:{line}: {problem or wanted[line] or "an error"}')
        if problem:
            print(text)
            failed += 1
        else:
            passed += 1
print(f'{passed} passed, {failed} failed')
sys.exit(0 if passed and not failed else 1)
