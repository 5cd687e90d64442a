/**
 * Reads the entries of a flow: each is an object with one channel, checked against the schema of that
 * channel. Limits are checked after the placeholders of a destination are filled in.
 */
import type { Channel } from '../../channels/channel.ts'
import { requireValid, type Issues } from '../../channels/issues.ts'
import { channels } from '../../channels/registry.ts'
import { invalidField } from '../../contract/problem.ts'
import { findPlaceholders, maxPlaceholders, type Placeholders } from './placeholders.ts'
import { createShape, type Shape } from './shape.ts'

export const maxSteps = 6

const entryShapes = new Map<string, Shape>(
  Object.values(channels).flatMap((channel) =>
    channel.entry === null ? [] : [[channel.name, createShape(channel.entry, channel.fieldCodes)]],
  ),
)

/** Checks the schemas only; limits are checked when the form is sent, because it may contain placeholders. */
export function checkFlow(flow: unknown, at: string): void {
  requireValid((issues) => parseFlow(flow, at, issues))
}

export interface FlowStepEntry {
  readonly channel: Channel
  readonly shape: Shape
  readonly content: object
  /** If there are any, every destination has its own content. */
  readonly placeholders: Placeholders
  /** Path before the fields. */
  readonly at: string
  /** Index in the flow, from 0. */
  readonly index: number
}

export function parseFlow(candidate: unknown, field: string, issues: Issues): FlowStepEntry[] {
  if (!Array.isArray(candidate) || candidate.length === 0) {
    issues.add(invalidField('A300', field, 'must be a list of at least one message'))
    return []
  }
  const flow = candidate as readonly Record<string, unknown>[]
  if (flow.length > maxSteps)
    issues.add(invalidField('A300', field, `must have at most ${maxSteps} messages, found ${flow.length}`))
  const entries: FlowStepEntry[] = []
  let placeholders = 0
  for (let index = 0; index < flow.length && index < maxSteps; index++) {
    const entry = readEntry(flow[index]!, index, field, issues)
    if (entry === null) continue
    entries.push(entry)
    placeholders += entry.placeholders.count
  }
  if (placeholders <= maxPlaceholders) return entries
  const reason = `must have at most ${maxPlaceholders} placeholders, found ${placeholders}`
  issues.add(invalidField('A300', field, reason), field)
  return []
}

/** Returns null if nothing can be checked further. */
function readEntry(
  entry: Readonly<Record<string, unknown>>,
  index: number,
  field: string,
  issues: Issues,
): FlowStepEntry | null {
  if (issues.isSettled()) return null
  const path = `${field}[${index}]`
  const names = Object.keys(entry)
  const [name = ''] = names
  const shape = entryShapes.get(name)
  if (names.length !== 1 || shape === undefined) {
    issues.add(invalidField('A300', path, `must have exactly one of ${[...entryShapes.keys()].join(', ')}`))
    return null
  }
  const at = `${path}.${name}.`
  const content = shape.check(entry[name], at, issues) as object | null
  if (content === null) return null
  const channel = channels[name as keyof typeof channels]
  return { channel, shape, content, placeholders: findPlaceholders(content), at, index }
}
