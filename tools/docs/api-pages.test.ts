import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { scopes } from '../../gateway/src/identity/accounts/credential.ts'
import { projectRoot } from '../engines/paths.ts'

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8')
const listRows = (page: string): string[] => page.split('\n').filter((line) => line.startsWith('| `'))

for (const page of ['docs/reference/authentication.md', 'docs/ko/authentication.md']) {
  test(`${page} documents every scope`, () => {
    const rows = listRows(read(page)).map((row) => /`(\w+)`/.exec(row)![1])
    assert.deepEqual(rows, [...scopes])
  })
}

test('docs/reference/limits.md documents every rate-limited part of the API', () => {
  const families = listRows(read('docs/reference/limits.md')).filter((row) => row.includes('/v1/'))
  const { paths } = JSON.parse(read('gateway/openapi.json')) as { paths: Record<string, unknown> }
  const parts = new Set(Object.keys(paths).map((path) => path.split('/').slice(0, 3).join('/')))
  // Tokens have their own limit.
  parts.delete('/v1/auth')
  assert.ok(parts.size > 8, `${parts.size} parts`)
  assert.deepEqual(
    [...parts].filter((part) => families.filter((row) => row.includes(part)).length !== 1),
    [],
  )
})
