/** The table of folders in ARCHITECTURE.md has every folder of the gateway, in the order in which one may import another. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { folderOrder } from '../architecture/order.ts'
import { projectRoot } from '../services/paths.ts'

const page = readFileSync(join(projectRoot, 'ARCHITECTURE.md'), 'utf8')
const [section = ''] = page.split('## Folders')[1]!.split('\n## ')
const rows = section.split('\n').filter((line) => line.startsWith('| `'))

test('the table has every folder, in order', () => {
  const named = rows.flatMap((row) =>
    [...row.split('|')[1]!.matchAll(/`([^`]+)\/`/g)].map(([, folder]) => folder!),
  )
  const folders = folderOrder.map((place) => {
    if (typeof place !== 'string') return 'pipeline/accept … settle'
    return place.startsWith('pipeline/') ? place : place.split('/')[0]!
  })
  assert.deepEqual(named, [...new Set(folders)])
})

test('the row of records names each of them', () => {
  const row = rows.find((line) => line.startsWith('| `records/`'))!
  const names = folderOrder.flatMap((place) =>
    typeof place === 'string' && place.startsWith('records/') ? [place.slice('records/'.length)] : [],
  )
  assert.deepEqual(
    names.filter((name) => !row.includes(name)),
    [],
  )
})
