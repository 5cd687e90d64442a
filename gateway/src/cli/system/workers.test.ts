import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand } from '../../../test/support/command.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { testRoute } from '../../../test/support/routes.ts'
import { createTopology } from '../../jobs/queues.ts'
import { upsertRoute } from '../../carriers/routes/queries.ts'

const { database, url } = await createTestDatabase()
const environment = { POSTERN_DATABASE_URL: url, POSTERN_TOKEN_SECRET: 'x'.repeat(32) }

test('lists the workers with their state, partitions and routes', async () => {
  await database.query(
    `insert into members (id, role, host, started_at, seen_at, takes)
     values ('a', 'worker', 'gw-1:7', '2026-11-15T09:00:00Z', now(), '{partition}'),
            ('b', 'all', 'gw-2:8', '2026-11-15T09:00:01Z', now() - interval '30 seconds', '{partition}'),
            ('c', 'worker', 'gw-3:9', '2026-11-15T09:00:02Z', now(), '{}'),
            ('d', 'smpp-server', 'gw-4:1', '2026-11-15T09:00:03Z', now(), '{}')`,
  )
  for (const id of ['one', 'two', 'off'])
    await upsertRoute(database, testRoute(id, { enabled: id !== 'off' }))
  const topology = createTopology('')
  const ownedPartitions = [...new Set(['one', 'two', 'off'].map((id) => topology.getPartition(id)))]
  await database.query(
    `insert into owned (kind, key, member) select 'partition', n::text, 'a' from unnest($1::smallint[]) n`,
    [ownedPartitions],
  )
  const { stdout } = await runCommand(environment, 'worker', 'list', '--json')
  const { workers } = JSON.parse(stdout) as { workers: Record<string, unknown>[] }
  assert.deepEqual(
    workers.map(({ id, host, state, partitions, routes }) => [id, host, state, partitions, routes]),
    [
      ['a', 'gw-1:7', 'running', ownedPartitions.toSorted((left, right) => left - right), 2],
      ['b', 'gw-2:8', 'silent', [], 0],
      ['c', 'gw-3:9', 'takes no routes', [], 0],
    ],
  )
})
