/** The bare pipeline's job: field for field what the gateway carries, so that the bytes are the same. */
export interface BareJob {
  readonly v: 1
  readonly msgKey: string
  readonly accountId: number
  readonly acceptedAt: number
  readonly to: string
  readonly ref: string | undefined
  readonly steps: readonly { readonly channel: 'sms'; readonly from: string; readonly text: string }[]
}

/** Of an omni request: its steps are the flow as it was sent, with its words filled in. */
export type BareFlowJob = Omit<BareJob, 'steps'> & { readonly steps: readonly object[] }
