import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitFor } from '../../support/wait.ts'
import { openChain } from './chain-installation.ts'
import { checkDuplicates, checkChainReports, ChainReports, sendUntilAccepted } from './evidence.ts'
import { chainMessage } from './messages.ts'

test('every channel passes both installations once although the far one is killed', async (t) => {
  const chain = await openChain({ workers: 0, stepTtlSeconds: 8 })
  let failed = true
  t.after(() => chain.close(failed))
  const reports = new ChainReports(chain)
  t.after(() => reports.stop())

  const calm = Array.from({ length: 36 }, (_, index) => chainMessage(index, 'calm', chain.files))
  await Promise.all(calm.map((message) => sendUntilAccepted(chain, message)))
  await waitFor('the reports', () => reports.byRef.size === calm.length, { timeoutMs: 30_000 })
  assert.deepEqual(checkChainReports(calm, reports), {
    findings: [],
    counts: { right: calm.length, uncertain: 0, lost: 0, repeated: 0, wrong: 0 },
    uncertain: [],
  })

  const far = chain.gateways.find(({ name }) => name === 'far-api')!
  const rough = Array.from({ length: 90 }, (_, index) => chainMessage(index, 'rough', chain.files))
    // Excluded: after a lost sandbox receipt these would wait until their own time limits.
    .filter(({ path }) => path !== '/v1/send/rcs' && path !== '/v1/send/omni')
  const sending = Promise.all(rough.map((message) => sendUntilAccepted(chain, message)))
  await waitFor('the first reports', () => reports.byRef.size > calm.length, { timeoutMs: 30_000 })
  await far.kill()
  far.start()
  await sending
  const all = [...calm, ...rough]
  await waitFor('all reports', () => reports.byRef.size === all.length, { timeoutMs: 60_000 })
  assert.deepEqual(checkChainReports(all, reports).findings, [])
  assert.deepEqual(await checkDuplicates(chain), [])
  failed = false
})
