/** Types ensure equal keys in every language; these tests also find empty and untranslated texts. */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { languages } from '../src/preferences/languages.ts'

type Dictionaries = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const root = join(import.meta.dirname, '../src')
const files = globSync(['texts/shared.ts', '{app,components,screens}/**/texts.ts'], { cwd: root })

/** Names that are the same in Korean. */
const same = new Set(['product', 'signedInAs'])

test('every texts.ts has the same keys in every language, and no empty or untranslated text', async () => {
  assert.ok(files.length > 1)
  for (const file of files) {
    const module = (await import(join(root, file))) as Readonly<Record<string, Dictionaries>>
    for (const [name, dictionaries] of Object.entries(module)) {
      if (!('en' in dictionaries)) continue
      assert.deepEqual(Object.keys(dictionaries), [...languages], `${file} ${name}`)
      const keys = Object.keys(dictionaries.en)
      for (const language of languages) {
        const texts = dictionaries[language]!
        assert.deepEqual(Object.keys(texts).sort(), [...keys].sort(), `${file} ${name} ${language}`)
        const empty = keys.filter((key) => texts[key] === '')
        assert.deepEqual(empty, [], `${file} ${name} ${language}`)
      }
      const untranslated = keys.filter((key) => {
        const text = dictionaries.en![key]
        return !same.has(key) && typeof text === 'string' && / /.test(text) && text === dictionaries.ko![key]
      })
      assert.deepEqual(untranslated, [], `${file} ${name}: the same text in both languages`)
    }
  }
})
