import type { RecordedSubmission } from '../../../simulator/src/smsc.ts'
import type { Simulator } from '../support/processes/simulator.ts'
import { decodeHangul } from './cp949.ts'
import type { PlannedMessage } from './plan.ts'

const codings = { gsm7: 0, ucs2: 8, cp949: 14 } as const

/**
 * Checks that the carrier accepted every message exactly once (or never, if its behaviour requires that) with
 * the text expected on the handset, and that its counters agree with its behaviours.
 */
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
  for (const to of submissions.keys()) findings.push(`the carrier accepted an unknown message to ${to}`)
  return [...findings, ...(await checkCounts(simulator, messages))]
}

function checkOne(message: PlannedMessage, taken: readonly RecordedSubmission[]): string[] {
  const expected = message.expectation.isAccepted ? message.parts : 0
  if (taken.length !== expected) return [`${taken.length} submissions were accepted, not ${expected}`]
  if (expected === 0) return []
  const inOrder = taken.toSorted((left, right) => getSequence(left) - getSequence(right))
  const findings: string[] = []
  if (inOrder.some((submission, index) => getSequence(submission) !== index + 1))
    findings.push('a part is missing')
  if (new Set(inOrder.map(({ part }) => part?.ref)).size > 1) findings.push('parts of different references')
  const coding = codings[message.alphabet]
  if (inOrder.some(({ dataCoding }) => dataCoding !== coding)) {
    findings.push(`data_coding ${inOrder[0]!.dataCoding}, not ${coding}`)
  }
  const text = inOrder.map(decodeText).join('')
  if (text !== message.shown)
    findings.push(`text ${JSON.stringify(text)}, not ${JSON.stringify(message.shown)}`)
  if (inOrder.some((submission) => submission.from !== message.from))
    findings.push(`from ${inOrder[0]!.from}`)
  return findings
}

function getSequence({ part }: RecordedSubmission): number {
  return part?.sequence ?? 1
}

function decodeText({ text, hex, dataCoding }: RecordedSubmission): string {
  if (dataCoding === codings.cp949) return decodeHangul(hex ?? '')
  return text ?? `[octets ${hex ?? ''}]`
}

/** Checks the counters of the carrier, which count every submission exactly once. */
async function checkCounts(simulator: Simulator, messages: readonly PlannedMessage[]): Promise<string[]> {
  const stats = await simulator.stats()
  const sumParts = (weight: (message: PlannedMessage) => number): number =>
    messages.reduce((sum, message) => sum + message.parts * weight(message), 0)
  const dropping = messages.filter(({ expectation }) => expectation.unanswered === 'drops')
  const expected = {
    accepted: sumParts(({ expectation }) => (expectation.isAccepted ? 1 : 0)),
    throttled: sumParts(({ expectation }) => expectation.throttled),
    refused: sumParts(({ expectation }) => expectation.refused),
    abandoned: dropping.filter(({ expectation }) => !expectation.isAccepted).length,
    disconnects: dropping.length,
    receiptsPending: 0,
    malformed: 0,
  }
  return (Object.keys(expected) as (keyof typeof expected)[])
    .filter((key) => stats[key] !== expected[key])
    .map((key) => `the carrier counted ${stats[key]} ${key}, not ${expected[key]}`)
}
