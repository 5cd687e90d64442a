/**
 * Checks the carrier's view: every message was accepted exactly once or, where its behaviour requires, never; its
 * text is as it was sent; refused and repeated submissions are those that the behaviours require.
 */
import type { RecordedSubmission } from '../../../simulator/src/smsc.ts'
import type { Simulator } from '../support/processes/simulator.ts'
import { hangulText } from './cp949.ts'
import type { PlannedMessage } from './plan.ts'

const codings = { gsm7: 0, ucs2: 8, cp949: 14 } as const

export async function checkCarrier(
  simulator: Simulator,
  messages: readonly PlannedMessage[],
): Promise<string[]> {
  const submissions = Map.groupBy(await simulator.submissions(), ({ to }) => to)
  const findings = messages.flatMap((message) => {
    const digits = message.to.replace('+', '')
    const taken = submissions.get(digits) ?? []
    submissions.delete(digits)
    return checkOne(message, taken).map((text) => `at the carrier, ${message.ref} to ${message.to}: ${text}`)
  })
  for (const to of submissions.keys())
    findings.push(`the carrier accepted a message to ${to} that was never sent`)
  return [...findings, ...(await checkCounts(simulator, messages))]
}

function checkOne(message: PlannedMessage, taken: readonly RecordedSubmission[]): string[] {
  const expected = message.expectation.taken ? message.parts : 0
  if (taken.length !== expected) return [`${taken.length} submissions were accepted, not ${expected}`]
  if (expected === 0) return []
  const inOrder = taken.toSorted((left, right) => sequenceOf(left) - sequenceOf(right))
  const findings: string[] = []
  if (inOrder.some((submission, index) => sequenceOf(submission) !== index + 1))
    findings.push('a part is missing')
  if (new Set(inOrder.map(({ part }) => part?.ref)).size > 1) findings.push('parts of different references')
  const coding = codings[message.alphabet]
  if (inOrder.some(({ dataCoding }) => dataCoding !== coding)) {
    findings.push(`data_coding ${inOrder[0]!.dataCoding}, not ${coding}`)
  }
  const shown = inOrder.map(textOf).join('')
  if (shown !== message.shown)
    findings.push(`text ${JSON.stringify(shown)}, not ${JSON.stringify(message.shown)}`)
  if (inOrder.some((submission) => submission.from !== message.from))
    findings.push(`from ${inOrder[0]!.from}`)
  return findings
}

function sequenceOf({ part }: RecordedSubmission): number {
  return part?.sequence ?? 1
}

function textOf({ text, hex, dataCoding }: RecordedSubmission): string {
  if (dataCoding === codings.cp949) return hangulText(hex ?? '')
  return text ?? `[octets ${hex ?? ''}]`
}

/** The carrier counts every submit in exactly one way, so the sums must agree. */
async function checkCounts(simulator: Simulator, messages: readonly PlannedMessage[]): Promise<string[]> {
  const stats = await simulator.stats()
  const partsOf = (weight: (message: PlannedMessage) => number): number =>
    messages.reduce((sum, message) => sum + message.parts * weight(message), 0)
  const dropping = messages.filter(({ expectation }) => expectation.unanswered === 'drops')
  const expected = {
    accepted: partsOf(({ expectation }) => (expectation.taken ? 1 : 0)),
    throttled: partsOf(({ expectation }) => expectation.throttled),
    refused: partsOf(({ expectation }) => expectation.refused),
    abandoned: dropping.filter(({ expectation }) => !expectation.taken).length,
    disconnects: dropping.length,
    receiptsPending: 0,
    malformed: 0,
  }
  return (Object.keys(expected) as (keyof typeof expected)[])
    .filter((key) => stats[key] !== expected[key])
    .map((key) => `the carrier counted ${stats[key]} ${key}, not ${expected[key]}`)
}
