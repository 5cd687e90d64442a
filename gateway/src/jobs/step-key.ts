/** Identifies one try of one step of a message, in jobs and in rows alike. */
export interface StepKey {
  readonly msgKey: string
  readonly step: number
  readonly try: number
}

/** The key as one string, for maps and sets. */
export function stepId(key: StepKey): string {
  return `${key.msgKey}/${key.step}/${key.try}`
}
