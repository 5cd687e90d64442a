/** Creates batches over the sandbox route, whose recipients decide the outcomes. */
import { BatchClient } from '../../../gateway/test/faults/batches/batch-client.ts'
import type { ConsoleInstallation } from './console-installation.ts'

export interface ExampleBatch {
  readonly ref: string
  readonly lines: number
  /** Every so many lines one fails. Default 20. */
  readonly failsEvery?: number
  /** Settings such as `speed`. */
  readonly settings?: Readonly<Record<string, unknown>>
}

/** Last digits of numbers that fail: no subscriber, phone off, refused by the recipient. */
const failing = ['0002', '0002', '0002', '0016', '0016', '0024'] as const

export function openBatchClient({ apiUrl, client }: ConsoleInstallation): Promise<BatchClient> {
  return BatchClient.open(apiUrl, client.credentials)
}

/** Uploads a batch. About one line in thirty repeats a recipient, and one in fifty has an invalid one. */
export async function uploadExample(
  client: BatchClient,
  { ref, lines, failsEvery = 20, settings = {} }: ExampleBatch,
): Promise<string> {
  const { batchId } = await client.create(`example-${ref}`, {
    ref,
    messageFlow: [
      { mms: { from: '0212345678', title: 'Sale', text: 'Dear #{name}, everything is reduced.' } },
    ],
    ...settings,
  })
  const rows = Array.from({ length: lines }, (_, index) => {
    const end = index % failsEvery === 0 ? failing[(index / failsEvery) % failing.length] : '0001'
    const number = index % 30 === 29 ? index - 1 : index
    return index % 50 === 7
      ? `999${index},,Customer`
      : `010${String(1000 + number)}${end},line-${index},Customer ${index}`
  })
  await client.upload(batchId, 1, ['to,ref,name', ...rows].join('\n'))
  return batchId
}

/** Starts a batch of which about a third is sent after 45 seconds. */
export async function startShownBatch(gateway: ConsoleInstallation): Promise<void> {
  const client = await openBatchClient(gateway)
  const settings = { speed: 12, hours: { from: '00:00', to: '23:30' } }
  await client.act(await uploadExample(client, { ref: 'winter-sale', lines: 1_500, settings }), 'start')
  client.close()
}
