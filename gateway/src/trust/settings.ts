/** Settings of the installation that change what rules demand; `roles/` takes them from the configuration. */
export interface TrustSettings {
  /** Of the days and months of caps. */
  readonly timeZone?: string | undefined
  /** Kinds of sender numbers that are accepted besides ordinary ones. */
  readonly senderKinds?: readonly string[] | undefined
  /** The registration number of the operator of this gateway. */
  readonly originCode?: string | undefined
  /** Deadline of a step that states none. */
  readonly stepTtlSeconds?: number | undefined
}
