import assert from 'node:assert/strict'
import type { Step } from '../../../src/channels/channel.ts'
import { channels } from '../../../src/channels/registry.ts'
import type { RecordedSubmission } from '../../../../simulator/src/smsc.ts'
import { waitFor } from '../../support/wait.ts'
import { sql, getConformanceInstallation } from './installation.ts'

/** Returns the submissions to one recipient in order of their parts. */
export async function findSubmissions(to: string): Promise<readonly RecordedSubmission[]> {
  const { simulator } = await getConformanceInstallation()
  const number = to.replace('+', '')
  const found = (await simulator.submissions()).filter(
    (submission) => submission.to.replace('+', '') === number,
  )
  return found.toSorted((left, right) => (left.part?.sequence ?? 1) - (right.part?.sequence ?? 1))
}

/** Decodes the text of a submission. Domestic texts in Korean are EUC-KR, which the simulator does not decode. */
export function decodeSubmissionText({ text, hex }: RecordedSubmission): string {
  return text ?? new TextDecoder('euc-kr', { fatal: true }).decode(Buffer.from(hex ?? '', 'hex'))
}

/** Waits for the recorded steps of a message. */
export async function waitForSteps(msgKey: string): Promise<readonly Step[]> {
  return waitFor(
    `message ${msgKey} to be recorded`,
    async () =>
      (await sql<{ flow: Step[] }>('select flow from messages where msg_key = $1', [msgKey]))[0]?.flow,
    { timeoutMs: 10_000, everyMs: 50 },
  )
}

/** Returns the content that a connector receives for a step of a rich message. */
export async function findSubmittedContent(msgKey: string, index = 0): Promise<Record<string, unknown>> {
  const step = (await waitForSteps(msgKey))[index]!
  const [part] = channels[step.channel].parts(step, msgKey)
  assert.ok(part?.kind === 'rich')
  return part.content as Record<string, unknown>
}

/** Returns the seconds from acceptance to the deadline of the current step. */
export async function findDeadlineSeconds(msgKey: string): Promise<number> {
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
