/** Sends real messages: delivered, failed, fallen back with a late and a repeated receipt, and scheduled. */
import { query } from '../../../gateway/test/support/processes/scratch-database.ts'
import type { ConsoleInstallation } from './console-installation.ts'
import { waitFor } from './wait.ts'

export interface MessageExamples {
  readonly delivered: string
  /** Falls back from RCS, which the phone does not support, to SMS. */
  readonly fallback: string
  /** Failed because the phone was switched off. */
  readonly failed: string
  readonly scheduled: string
}

export const exampleRecipient = '01077770023'

const card = {
  formatId: 'SL000000',
  brandKey: 'BR.4tKq9sXz2m',
  content: { standalone: { title: 'Your appointment', text: 'We are looking forward to seeing you.' } },
}

export async function sendExamples({
  client,
  installation: { databaseUrl },
}: ConsoleInstallation): Promise<MessageExamples> {
  const send = async (path: string, body: object): Promise<string> => {
    const response = await client.call<{ msgKey?: string }>(
      'POST',
      `/v1/send/${path}`,
      JSON.stringify({ from: '15880000', ...body }),
    )
    if (response.body.msgKey === undefined) throw new Error(`${path}: ${JSON.stringify(response.body)}`)
    return response.body.msgKey
  }
  const fallback = { type: 'SMS', text: 'Your appointment is tomorrow at 10:00.' }
  const at = encodeURIComponent(new Date(Date.now() + 7_200_000).toISOString())
  const examples = {
    delivered: await send('sms', { to: '01012345678', text: 'Hello', ref: 'order-4711' }),
    fallback: await send('rcs', { to: exampleRecipient, ...card, fallback, ref: 'appointment-17' }),
    failed: await send('rcs', { to: '01077770016', ...card, ref: 'appointment-18' }),
    scheduled: await send(`sms?sendAt=${at}`, { to: '01012345678', text: 'Tomorrow', ref: 'reminder-1' }),
  }
  const ended = [examples.delivered, examples.fallback, examples.failed]
  await waitFor('reports of the messages', async () => {
    const rows = await query<{ count: string }>(
      databaseUrl,
      'select count(distinct msg_key)::text as count from reports where msg_key = any ($1) and not exists (select from in_flight f where f.msg_key = reports.msg_key)',
      [ended],
    )
    return rows[0]!.count === '3'
  })
  // The simulator sends no late receipts, so that of the first step is stored as if it had arrived later.
  await query(
    databaseUrl,
    `update attempts set result = 'delivered', cause = null, receipt_code = 'DELIVRD:000', receipts = 2, late = true, delivered_twice = true,
            received_at = now() + interval '3 minutes', result_at = now()
      where msg_key = $1 and step = 1`,
    [examples.fallback],
  )
  return examples
}
