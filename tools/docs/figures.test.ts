/**
 * The figures of docs/evidence/README.md equal those of the linked pages, and the figures of the README equal
 * those of docs/evidence/README.md. When a measurement rewrites its page, this test names the figures to
 * correct.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '../engines/paths.ts'

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8')

/** Returns numbers as written, without thousands separators. */
const figuresIn = (text: string): string[] =>
  [...text.matchAll(/\d[\d,]*(?:\.\d+)?/g)].map(([figure]) => figure.replaceAll(',', ''))

test('every figure of the evidence is on its linked page', () => {
  const rows = read('docs/evidence/README.md')
    .split('\n')
    .filter((line) => /^- .*\? .*\]\([^)]+\.md\)/.test(line))
  assert.ok(rows.length >= 10, `${rows.length} rows`)
  const missing = rows.flatMap((row) => {
    const [question, measured] = row.split('? ')
    const pages = [...measured!.matchAll(/\]\(([^)]+\.md)\)/g)].map(([, page]) =>
      read(`docs/evidence/${page}`),
    )
    const published = new Set(pages.flatMap(figuresIn))
    return figuresIn(measured!.replaceAll(/\(\[.*$/g, ''))
      .filter((figure) => !published.has(figure))
      .map((figure) => `${question!.trim()} ${figure}`)
  })
  assert.deepEqual(missing, [])
})

test('every measured figure of the README is in the evidence', () => {
  const [section = ''] = read('README.md').split('## What it guarantees, and what not')[1]!.split('\n## ')
  const measured = [...section.matchAll(/\b(\d[\d,]*)(?= ms|,? and \d| messages per second)/g)].map(
    ([, figure]) => figure!.replaceAll(',', ''),
  )
  const published = new Set(figuresIn(read('docs/evidence/README.md')))
  assert.ok(measured.length >= 3, measured.join(' '))
  assert.deepEqual(
    measured.filter((figure) => !published.has(figure)),
    [],
  )
})

test('the bench chart shows the bench results', () => {
  const label = /aria-label="([^"]+)"/.exec(read('docs/pictures/bench.svg'))![1]!
  const published = new Set(figuresIn(read('docs/evidence/bench.md')))
  const figures = figuresIn(label).filter((figure) => Number(figure) >= 1_000)
  // Three measurements of Postern and of two baselines.
  assert.equal(figures.length, 9)
  assert.deepEqual(
    figures.filter((figure) => !published.has(figure)),
    [],
  )
})
