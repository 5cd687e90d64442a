/** The bare pipeline's job: the same fields as the gateway's, so that the size is the same. */
export interface BareJob {
  readonly v: 1
  readonly msgKey: string
  readonly accountId: number
  readonly acceptedAt: number
  readonly to: string
  readonly ref: string | undefined
  readonly steps: readonly { readonly channel: 'sms'; readonly from: string; readonly text: string }[]
}

/** Of an omni request: its steps are the flow as it was sent, with placeholders filled in. */
export type BareFlowJob = Omit<BareJob, 'steps'> & { readonly steps: readonly object[] }
