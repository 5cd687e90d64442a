/**
 * Korean guides have the code of the English ones, which `npm run suite -- guides` runs. Lines with Hangul
 * (strings, comments) may differ.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '../../engines/paths.ts'
import { readBlocks } from './blocks.ts'

interface Code {
  readonly language: string
  readonly words: Readonly<Record<string, string>>
  readonly lines: readonly string[]
}

function readCode(page: string): Code[] {
  const text = readFileSync(join(projectRoot, page), 'utf8')
  return readBlocks(text).map(({ language, words, code }) => ({ language, words, lines: code.split('\n') }))
}

for (const page of globSync('docs/ko/guides/*.md', { cwd: projectRoot }).sort())
  test(`${page} has the code of the English guide`, () => {
    const english = readCode(`docs/guides/${basename(page)}`)
    const korean = readCode(page).map((code, index) => ({
      ...code,
      lines: code.lines.map((line, number) =>
        /\p{Script=Hangul}/u.test(line) ? (english[index]?.lines[number] ?? line) : line,
      ),
    }))
    assert.deepEqual(korean, english)
  })
