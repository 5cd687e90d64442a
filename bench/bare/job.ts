/** Job of the bare pipeline, with the gateway's fields so that the size is the same. */
export interface BareJob {
  readonly v: 1
  readonly msgKey: string
  readonly accountId: number
  readonly acceptedAt: number
  readonly to: string
  readonly ref: string | undefined
  readonly steps: readonly { readonly channel: 'sms'; readonly from: string; readonly text: string }[]
}

/** Job of an omni request. Its steps are the flow as sent, with placeholders filled in. */
export type BareFlowJob = Omit<BareJob, 'steps'> & { readonly steps: readonly object[] }
