/**
 * The figures of the README are those of the pages they link to. After a measurement has rewritten its page, this
 * test names the figures to correct in the README.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '../services/paths.ts'

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8')

/** Numbers as written, without the commas of thousands. */
const figuresIn = (text: string): string[] =>
  [...text.matchAll(/\d[\d,]*(?:\.\d+)?/g)].map(([figure]) => figure.replaceAll(',', ''))

test('every figure of the evidence is on the page beside it', () => {
  const rows = read('README.md')
    .split('## Evidence')[1]!
    .split('\n')
    .filter((line) => /^\| .*\]\([^)]+\.md\)/.test(line))
  assert.ok(rows.length >= 7, `${rows.length} rows`)
  const missing = rows.flatMap((row) => {
    const [, question, measured, links] = row.split('|')
    const pages = [...links!.matchAll(/\]\(([^)]+\.md)\)/g)].map(([, page]) => read(page!))
    const known = new Set(pages.flatMap(figuresIn))
    return figuresIn(measured!)
      .filter((figure) => !known.has(figure))
      .map((figure) => `${question!.trim()} ${figure}`)
  })
  assert.deepEqual(missing, [])
})

test('the chart of the bench shows the results of the bench', () => {
  const shown = /aria-label="([^"]+)"/.exec(read('docs/img/bench.svg'))![1]!
  const known = new Set(figuresIn(read('bench/RESULTS.md')))
  const figures = figuresIn(shown).filter((figure) => Number(figure) >= 1_000)
  assert.equal(figures.length, 9)
  assert.deepEqual(
    figures.filter((figure) => !known.has(figure)),
    [],
  )
})
