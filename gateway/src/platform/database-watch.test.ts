/** The watch detects a database that does not answer although no connection breaks, and its recovery. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createEmptyDatabase } from '../../test/support/database.ts'
import { createProxy } from '../../test/support/proxy.ts'
import { quietLog } from '../../test/support/silent-log.ts'
import { waitFor } from '../../test/support/wait.ts'
import { watchDatabase } from './database-watch.ts'

test('detects a database that stops answering on open connections, and its recovery', async () => {
  const { url } = await createEmptyDatabase()
  const proxy = await createProxy(url)
  const watch = watchDatabase(proxy.url, quietLog)
  after(() => watch.close())
  await waitFor('an answer', () => watch.silentMs < 500)
  proxy.mute()
  await waitFor('the silence', () => watch.silentMs > 3_000, { timeoutMs: 10_000 })
  proxy.unmute()
  await waitFor('an answer', () => watch.silentMs < 1_000, { timeoutMs: 10_000 })
  assert.ok(watch.silentMs < 3_000)
})
