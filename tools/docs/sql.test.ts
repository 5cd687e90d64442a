/** PostgreSQL plans every statement on a page against the migrated tables. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestDatabase } from '../../gateway/test/support/engines/database.ts'
import { projectRoot } from '../engines/paths.ts'
import { readBlocks } from './guides/blocks.ts'

const { database } = await createTestDatabase()

/** Returns the statements of blocks in SQL and of inline code, except those with an ellipsis. */
function findStatements(page: string): string[] {
  const blocks = readBlocks(page)
    .filter(({ language }) => language === 'sql')
    .flatMap(({ code }) => code.replaceAll(/--.*$/gm, '').split(';'))
  const inline = [...page.matchAll(/`((?:select|update|delete from|insert into) [^`]+)`/g)].map(
    ([, code]) => code!,
  )
  return [...blocks, ...inline]
    .map((statement) => statement.trim())
    .filter((text) => text !== '' && !text.includes('…'))
}

test('every SQL statement on a page fits the schema', async () => {
  // An example of a migration, not a statement for operators.
  const pages = globSync('docs/**/*.md', { cwd: projectRoot }).filter(
    (page) => !page.endsWith('/releasing.md'),
  )
  const found = pages.flatMap((page) =>
    findStatements(readFileSync(join(projectRoot, page), 'utf8')).map((statement) => ({ page, statement })),
  )
  assert.ok(found.length > 8, `${found.length} statements`)
  const faults: string[] = []
  for (const { page, statement } of found)
    await database.query(`explain ${statement}`).catch((error: unknown) => {
      faults.push(`${page}: ${statement}: ${(error as Error).message}`)
    })
  assert.deepEqual(faults, [])
})
