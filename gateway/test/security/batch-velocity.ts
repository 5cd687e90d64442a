/**
 * `node gateway/test/security/batch-velocity.ts`: a stolen key sends to one number through batches instead of sends. The
 * limit per number must hold over sends and all lines of all batches together.
 */
import { AccountClient, type Envelope } from '../support/processes/account-client.ts'
import { createAccount, postern } from '../support/processes/postern-command.ts'
import { waitFor } from '../support/wait.ts'
import { runTargetAttack } from './attack.ts'

const to = '01012345678'
const perHour = 20
const batches = 5
const linesPerBatch = 1_000

interface Batch extends Envelope {
  readonly data: {
    readonly batchId: string
    readonly counts: { readonly waiting: number; readonly messages: number; readonly refused: number }
  }
}

await runTargetAttack({ POSTERN_FORM_LIMIT: '0' }, async ({ installation, url, wrong, report }) => {
  const { environment } = installation
  await postern(environment, 'trust', 'enable', 'recipient-velocity', '--reason', 'attack')
  const worker = await installation.startGateway('worker', 'worker')
  await worker.untilReady()
  const client = new AccountClient(url, await createAccount(environment, 'thief'))
  await client.login()
  const send = async (): Promise<string> =>
    (await client.send('sms', { from: '0234567890', to, text: 'x' })).body.code
  await waitFor('the rule in the API', async () => {
    for (let n = 0; n < perHour * 2; n++) if ((await send()) === 'A344') return true
    return false
  })
  const created = await Promise.all(
    Array.from({ length: batches }, (_, n) =>
      client.call<Batch>(
        'POST',
        '/v1/batch',
        JSON.stringify({
          messageFlow: [{ sms: { from: '0234567890', text: 'x' } }],
          duplicates: 'keep',
          recipients: Array.from({ length: linesPerBatch }, () => ({ to })),
          start: true,
        }),
        undefined,
        { 'idempotency-key': `flood-${n}` },
      ),
    ),
  )
  const read = (batchId: string) => client.call<Batch>('GET', `/v1/batch/${batchId}`)
  let [messages, refused] = [0, 0]
  for (const { body } of created) {
    const { batchId } = body.data
    await waitFor(
      'all lines to be decided',
      async () => (await read(batchId)).body.data.counts.waiting === 0,
      { timeoutMs: 60_000 },
    )
    const { counts } = (await read(batchId)).body.data
    messages += counts.messages
    refused += counts.refused
  }
  report(`${batches} × ${linesPerBatch} lines to one number: ${messages} messages, ${refused} refused`)
  // One more every three minutes.
  if (messages > 1) wrong(`${messages} messages to one number passed a limit that was used up`)
})
