/** States and kinds of senders in display order. */
export const senderStates = ['pending', 'active', 'rejected', 'blocked', 'expired'] as const
export type SenderState = (typeof senderStates)[number]

export const senderKinds = [
  'number',
  'international',
  'chatbot',
  'brand',
  'kakao-key',
  'kakao-template',
] as const
export type SenderKind = (typeof senderKinds)[number]

export const proofKinds = ['certificate', 'phone-check', 'consent', 'carrier-review', 'operator'] as const
export type ProofKind = (typeof proofKinds)[number]

export const decisions = ['approve', 'reject', 'block'] as const
export type SenderDecision = (typeof decisions)[number]

/** Decisions that are possible in each state. */
export const decisionsByState: Readonly<Record<SenderState, readonly SenderDecision[]>> = {
  pending: ['approve', 'reject', 'block'],
  active: ['block', 'reject'],
  rejected: ['approve', 'block'],
  blocked: ['approve', 'reject'],
  expired: ['approve', 'reject', 'block'],
}
