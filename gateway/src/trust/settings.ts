/** Settings of the installation that change the requirements of rules. */
export interface TrustSettings {
  /** Time zone of the days and months of caps. */
  readonly timeZone?: string | undefined
  /** Kinds of sender numbers that are accepted in addition to ordinary ones. */
  readonly senderKinds?: readonly string[] | undefined
  /** The registration number of the operator of this gateway. */
  readonly originCode?: string | undefined
  /** The form of registration numbers (`channels/origin-form.ts`). */
  readonly originPattern?: string | undefined
  /** Default deadline of a step, in seconds. */
  readonly stepTtlSeconds?: number | undefined
  /** Default velocity limits of accounts. */
  readonly recipientPerHour?: number | undefined
  readonly prefixPerTenMinutes?: number | undefined
  /** Thresholds of the rule low-conversion. */
  readonly conversionMinCodes?: number | undefined
  readonly conversionMaxPercent?: number | undefined
  /** Domains in addition to the built-in ones. */
  readonly shorteners?: readonly string[] | undefined
  /** Entries such as `DE=08:00-20:00 Europe/Berlin`. */
  readonly countryHours?: readonly string[] | undefined
}
