import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile, compileTypes, toCommonJs } from './compile.ts'

test('only source imports change, and all positions are kept', () => {
  const source = [
    "import type { A } from './a.ts'",
    "import { b } from '../b.ts'",
    "import pg from 'pg'",
    "export * from './c.ts'",
    'const text: string = "import x from \'./not-an-import.ts\'"',
    "const later = (): Promise<unknown> => import('./later.ts') // './comment.ts'",
  ].join('\n')
  const { code, imports } = compile(source)
  assert.deepEqual(imports.toSorted(), ['../b.ts', './c.ts', './later.ts'])
  const lines = code.split('\n')
  assert.equal(lines[0]?.trim(), '')
  assert.deepEqual(lines.slice(1, 4), [
    "import { b } from '../b.js'",
    "import pg from 'pg'",
    "export * from './c.js'",
  ])
  assert.match(lines[4]!, /^const text {9}= "import x from '.\/not-an-import.ts'"$/)
  assert.match(lines[5]!, /=> import\('.\/later.js'\) \/\/ '.\/comment.ts'$/)
})

test('a module becomes CommonJS with the same exports', () => {
  const code = toCommonJs("import { a } from './a.js'\nexport const b = a\n")
  assert.match(code, /require\("\.\/a\.js"\)/)
  assert.match(code, /exports\.b = /)
})

test('declarations import JavaScript files, and every export needs an explicit type', () => {
  const source = "import { A } from './a.ts'\nexport const make = (): A => new A()\n"
  assert.equal(
    compileTypes(source, 'make.ts'),
    "import { A } from './a.js';\nexport declare const make: () => A;\n",
  )
  assert.throws(
    () => compileTypes('export const made = make()', 'made.ts'),
    /made\.ts: .*isolatedDeclarations/,
  )
})
