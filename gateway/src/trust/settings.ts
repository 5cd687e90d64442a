/** Settings of the installation that change what rules demand; `roles/` takes them from the configuration. */
export interface TrustSettings {
  /** Of the days and months of caps. */
  readonly timeZone?: string | undefined
  /** Kinds of sender numbers that are accepted besides ordinary ones. */
  readonly senderKinds?: readonly string[] | undefined
  /** The registration number of the operator of this gateway. */
  readonly originCode?: string | undefined
  /** The form of such numbers, see `channels/origin-form.ts`. */
  readonly originPattern?: string | undefined
  /** Deadline of a step that states none. */
  readonly stepTtlSeconds?: number | undefined
  /** Of velocity, where nothing is set for an account. */
  readonly recipientPerHour?: number | undefined
  readonly prefixPerTenMinutes?: number | undefined
  /** When few one-time codes are used. */
  readonly conversionMinCodes?: number | undefined
  readonly conversionMaxPercent?: number | undefined
  /** Besides those that are known. */
  readonly shorteners?: readonly string[] | undefined
  /** As `DE=08:00-20:00 Europe/Berlin`. */
  readonly countryHours?: readonly string[] | undefined
}
