/** Reads what an address may hold: anything that somebody typed. Pure. */
import type { ChannelName, Trouble } from './figures.ts'

const maxText = 40

export interface RoutesSearch {
  readonly trouble?: Trouble | undefined
  readonly channel?: ChannelName | undefined
  /** A part of the id, the protocol or a carrier. */
  readonly contains?: string | undefined
}

export function oneOf<Value extends string>(known: readonly Value[], given: unknown): Value | undefined {
  return known.find((value) => value === given)
}

/** Numbers too: the router reads `?contains=7` as one. */
export function textOf(given: unknown): string | undefined {
  const text = typeof given === 'number' ? String(given) : given
  return typeof text === 'string' && text !== '' ? text.slice(0, maxText) : undefined
}
