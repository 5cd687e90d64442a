/** Keys of tokens as the commands print them, over either way. Pure. */
import { table, timeText, type Result } from '../result.ts'

interface Rotated {
  readonly id: number
  readonly signsFrom: Date | string
  readonly earlierRefused: boolean
}

export function rotatedResult({ id, signsFrom, earlierRefused }: Rotated): Result {
  return {
    json: { id, signsFrom, earlierRefused },
    lines: [
      `Key ${id} signs tokens from ${timeText(signsFrom)} on.`,
      earlierRefused
        ? 'Tokens of earlier keys are refused from then on; clients request new ones.'
        : 'Tokens of earlier keys are accepted until they expire.',
    ],
  }
}

interface ShownKey {
  readonly id: number
  readonly state: string
  readonly createdAt: Date | string
  readonly createdBy: string
}

export function keysResult(keys: readonly ShownKey[]): Result {
  const rows = keys.map(({ id, state, createdAt, createdBy }) => [
    ...[String(id), state, `${timeText(createdAt)} ${createdBy}`],
  ])
  return { json: { keys }, lines: table([['id', 'state', 'created'], ...rows]) }
}
