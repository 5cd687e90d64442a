/**
 * The entries of a flow, each an object with one channel, checked against the schema of that channel. Limits are checked
 * once the placeholders of a destination are filled in.
 */
import type { Channel } from '../../channels/channel.ts'
import { requireValid, type Issues } from '../../channels/issues.ts'
import { channels } from '../../channels/registry.ts'
import { invalidField } from '../../contract/problem.ts'
import { countPlaceholders, maxPlaceholders } from './placeholders.ts'
import { createShape, type Shape } from './shape.ts'

export const maxSteps = 6

const entryShapes = new Map<string, Shape>(
  Object.values(channels).flatMap((channel) =>
    channel.entry === null ? [] : [[channel.name, createShape(channel.entry, channel.fieldCodes)]],
  ),
)

/** Checks schemas only: a form may contain placeholders, so limits are checked when it is sent. */
export function checkFlow(flow: unknown, at: string): void {
  requireValid((issues) => readFlow(flow, at, issues))
}

export interface FlowEntry {
  readonly channel: Channel
  readonly shape: Shape
  readonly content: object
  /** With any, every destination gets its own content. */
  readonly placeholders: number
  /** The path before its fields. */
  readonly at: string
  /** Index in the flow, from 0. */
  readonly index: number
}

export function readFlow(candidate: unknown, field: string, issues: Issues): FlowEntry[] {
  if (!Array.isArray(candidate) || candidate.length === 0) {
    issues.add(invalidField('A300', field, 'must be a list of at least one message'))
    return []
  }
  const flow = candidate as readonly Record<string, unknown>[]
  if (flow.length > maxSteps)
    issues.add(invalidField('A300', field, `must have at most ${maxSteps} messages, found ${flow.length}`))
  const entries = flow.slice(0, maxSteps).flatMap((entry, index) => readEntry(entry, index, field, issues))
  const placeholders = entries.reduce((sum, entry) => sum + entry.placeholders, 0)
  if (placeholders <= maxPlaceholders) return entries
  const reason = `must have at most ${maxPlaceholders} placeholders, found ${placeholders}`
  issues.add(invalidField('A300', field, reason), field)
  return []
}

/** Empty when there is nothing that can be checked further. */
function readEntry(
  entry: Readonly<Record<string, unknown>>,
  index: number,
  field: string,
  issues: Issues,
): FlowEntry[] {
  if (issues.isSettled()) return []
  const path = `${field}[${index}]`
  const [name, ...others] = Object.keys(entry)
  const shape = name === undefined ? undefined : entryShapes.get(name)
  if (name === undefined || others.length > 0 || shape === undefined) {
    issues.add(invalidField('A300', path, `must have exactly one of ${[...entryShapes.keys()].join(', ')}`))
    return []
  }
  const at = `${path}.${name}.`
  const content = shape.check(entry[name], at, issues) as object | null
  if (content === null) return []
  const channel = channels[name as keyof typeof channels]
  return [{ channel, shape, content, placeholders: countPlaceholders(content), at, index }]
}
