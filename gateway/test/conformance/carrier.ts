/** What reached the carrier: the simulated SMSC's record of text messages, and the connector's view of rich ones. */
import assert from 'node:assert/strict'
import type { Step } from '../../src/channels/channel.ts'
import { channels } from '../../src/channels/registry.ts'
import type { RecordedSubmission } from '../../../simulator/src/smsc.ts'
import { waitFor } from '../support/wait.ts'
import { sql, conformanceInstallation } from './installation.ts'

/** The submissions to one recipient, in the order of their parts. */
export async function submissionsTo(to: string): Promise<readonly RecordedSubmission[]> {
  const { simulator } = await conformanceInstallation()
  const number = to.replace('+', '')
  const found = (await simulator.submissions()).filter((one) => one.to.replace('+', '') === number)
  return found.toSorted((left, right) => (left.part?.sequence ?? 1) - (right.part?.sequence ?? 1))
}

/** The text of a submission; domestic ones are in the carriers' character set, which the simulator does not read. */
export function textOf({ text, hex }: RecordedSubmission): string {
  return text ?? new TextDecoder('euc-kr', { fatal: true }).decode(Buffer.from(hex ?? '', 'hex'))
}

/** The steps of an accepted message as they were recorded. */
export async function stepsOf(msgKey: string): Promise<readonly Step[]> {
  return waitFor(
    `message ${msgKey} to be recorded`,
    async () =>
      (await sql<{ flow: Step[] }>('select flow from messages where msg_key = $1', [msgKey]))[0]?.flow,
    { timeoutMs: 10_000, everyMs: 50 },
  )
}

/** What a connector is given for a step of a rich message. */
export async function submittedAs(msgKey: string, step = 0): Promise<Record<string, unknown>> {
  const content = (await stepsOf(msgKey))[step]!
  const [part] = channels[content.channel].parts(content, msgKey)
  assert.ok(part?.kind === 'rich')
  return part.content as Record<string, unknown>
}

/** Seconds from acceptance to the deadline of the step under way. */
export async function deadlineOf(msgKey: string): Promise<number> {
  const row = await waitFor(
    `message ${msgKey} to be in flight`,
    async () =>
      (
        await sql<{ seconds: string }>(
          `select extract(epoch from due_at - accepted_at) as seconds
             from in_flight join messages using (msg_key) where msg_key = $1`,
          [msgKey],
        )
      )[0],
    { timeoutMs: 10_000, everyMs: 50 },
  )
  return Number(row.seconds)
}
