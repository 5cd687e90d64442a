/** What the addresses of the screens about rules can have. */

export interface HeldSearch {
  readonly account?: string | undefined
  readonly rule?: string | undefined
}

export const ruleStates = ['on', 'off', 'fixed'] as const
export interface SwitchesSearch {
  readonly state?: (typeof ruleStates)[number] | undefined
  readonly find?: string | undefined
}

export const capExtents = ['nearly', 'all'] as const
export interface CapsSearch {
  readonly account?: string | undefined
  readonly show?: (typeof capExtents)[number] | undefined
}
