/** Migrations since the previous release keep everything that its processes need. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { contractSteps } from './expand-only.ts'
import { nextMigration } from '../../gateway/test/support/processes/next-migration.ts'
import { readPrevious } from './previous.ts'

const folder = new URL('../../gateway/migrations/', import.meta.url)

test('the migrations since the previous release only expand', () => {
  const { version, lastMigration } = readPrevious()
  const names = readdirSync(folder).toSorted()
  assert.ok(names.includes(lastMigration), `previous.json names ${lastMigration}, which does not exist`)
  const migrations = names
    .filter((name) => name > lastMigration)
    .map((name) => ({ name, sql: readFileSync(new URL(name, folder), 'utf8') }))
  assert.deepEqual(contractSteps([...migrations, nextMigration], version), [])
})

const check = (...sqls: string[]): string[] =>
  contractSteps(
    sqls.map((sql, index) => ({ name: `000${index}_x.sql`, sql })),
    '0.2.0',
  )

suite('statements that break the previous release are found', () => {
  const refused: Record<string, string> = {
    'drop table messages': 'drops the table messages',
    'DROP INDEX IF EXISTS messages_idx': 'drops the index messages_idx',
    'alter table messages drop column text': 'drops a column of messages',
    'alter table messages drop text': 'drops a column of messages',
    'alter table messages rename to letters': 'renames a part of messages',
    'alter table messages rename column text to body': 'renames a part of messages',
    "alter type lane rename value 'a' to 'b'": 'renames a part of lane',
    'alter table messages alter column text set not null': 'changes a column of messages',
    'alter table messages alter text type bytea': 'changes a column of messages',
    'alter table messages add column n int, add column m int not null': 'must not be null and has no default',
    'alter table messages add constraint n_check check (n in (1, 2))': 'adds the constraint n_check',
    'alter table messages add check (n > 0)': 'adds a constraint to messages',
    'alter table messages drop constraint messages_pkey': 'drops the key messages_pkey',
  }
  for (const [sql, finding] of Object.entries(refused))
    test(sql, () => {
      const [found, ...more] = check(sql)
      assert.ok(found?.includes(finding), found)
      assert.deepEqual(more, [])
    })
})

suite('statements that the previous release tolerates are allowed', () => {
  const allowed: Record<string, string> = {
    'a column with a default': `alter table messages add column n int not null default 1 check (n in (1, 2))`,
    'a column that may be null': 'alter table messages add column n int',
    'a constraint that replaces another': `alter table waiting drop constraint reason_check;
      alter table waiting add constraint reason_check check (reason in ('a', 'b'))`,
    'words in comments, in texts and in functions': `-- drop table messages;
      create function f() returns void language sql as $f$ drop table messages; $f$;
      insert into rules values ('; drop table messages;')`,
    'an index and a table': 'create index i on messages (n); create table t (n int not null)',
  }
  for (const [what, sql] of Object.entries(allowed)) test(what, () => assert.deepEqual(check(sql), []))

  test('any change of a table that the previous release does not have', () => {
    assert.deepEqual(check('create table t (n int)', 'alter table t rename n to m; drop table t'), [])
  })

  test('a contract step, once the previous release no longer needs the removed part', () => {
    assert.deepEqual(check('-- contract: unused since 0.2.0\ndrop table messages'), [])
    assert.match(
      check('-- contract: unused since 0.3.0\ndrop table messages')[0]!,
      /release 0\.2\.0 may need it/,
    )
  })
})
