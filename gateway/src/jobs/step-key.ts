/** Identifies one try of one step of a message, in jobs and in rows. */
export interface StepKey {
  readonly msgKey: string
  readonly step: number
  readonly try: number
}

/** Returns the key as one string, for maps and sets. */
export function stepId(key: StepKey): string {
  return `${key.msgKey}/${key.step}/${key.try}`
}

/** Sorts rows for bulk statements: two of them that write the same rows must not deadlock. */
export function inKeyOrder<Key extends Pick<StepKey, 'msgKey'>>(keys: readonly Key[]): Key[] {
  return keys.toSorted(({ msgKey: left }, { msgKey: right }) => (left < right ? -1 : left > right ? 1 : 0))
}
