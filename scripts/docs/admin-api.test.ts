/** docs/operations/admin-api.md names every path of the admin API. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { adminOperations, openOperations } from '../../gateway/src/admin/operations.ts'
import { projectRoot } from '../services/paths.ts'

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8')

test('every path stands under "What it has", whole or with its last parts', () => {
  const [section = ''] = read('docs/operations/admin-api.md').split('## What it has')[1]!.split('\n### ')
  const named = [...section.matchAll(/`([^`]+)`/g)].map(([, path]) => path!)
  const paths = new Set([...adminOperations, ...openOperations].map(({ path }) => path))
  assert.ok(named.length > 50, `${named.length} names`)
  assert.deepEqual(
    [...paths]
      .map((path) => path.replace('/admin/v1/', ''))
      .filter((path) => !named.some((name) => path === name || path.endsWith(`/${name}`))),
    [],
  )
})
