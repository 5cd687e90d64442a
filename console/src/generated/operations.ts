/**
 * Every operation of the admin API: what it takes and answers, and where it is.
 * Generated from the definitions in gateway/src/admin/operations, and not in git; change those.
 */

/** An error */
export type Problem = {
  /** What kind of error it is */
  readonly code: string
  /** What is wrong */
  readonly result: string
  /** What to do next */
  readonly action: string
  /** With the code `repeated`: whether the first request is done; false while it may still be in progress, or was cut off or refused */
  readonly done?: boolean | undefined
}

/** How old the figures are */
export type FigureTimes = {
  /** The minute that `accepted`, `delivered` and `failed` count */
  readonly minute: string
  /** When the sums of the ledger were read */
  readonly ledgerAt: string
  readonly routesAt: string | null
}

/** How fast messages flow */
export type MessageRates = {
  /** Messages that were accepted, per second over the last full minute */
  readonly accepted: number
  /** Parts that routes submitted in the last second */
  readonly submitted: number
  /** Messages that carriers reported as delivered, per second over the last full minute */
  readonly delivered: number
  /** Messages that failed because of their route, per second over the last full minute */
  readonly failed: number
  readonly closed: number | null
}

/** How fast messages flow now */
export type MessageFlow = {
  readonly recorded: number | null
  readonly submitted: number | null
  readonly reported: number | null
  /** Messages that were delivered, per second over the last one to two minutes */
  readonly delivered: number
  /** Messages that failed because of their route, per second over the last one to two minutes */
  readonly failed: number
}

/** A route that is enabled */
export type RouteLane = {
  /** Id of the route */
  readonly route: string
  /** Whether a share of it takes messages */
  readonly usable: boolean
  /** healthy, or what is wrong with it */
  readonly state: string
  /** Steps that wait for it, of those that were counted; of a route that is slow also the parts that wait in memory */
  readonly waiting: number
  /** Messages that were delivered, per second over the last one to two minutes */
  readonly delivered: number
  /** Messages that failed because of it, per second over the last one to two minutes */
  readonly failed: number
  readonly slow: 'throttled' | 'limit' | 'answers' | null
}

/** The age of the oldest in each stage */
export type StageAges = {
  /** Age of the oldest message that has not ended */
  readonly openSeconds: number
  /** How long the deadline of a step has passed without an end; 0 when none has */
  readonly overdueSeconds: number
  /** Age of the oldest message that waits to be released to a route */
  readonly waitingSeconds: number
  /** Age of the oldest parked job; 0 without one */
  readonly parkedSeconds: number
}

/** A queue of RabbitMQ; the 32 queues of dispatch are added up */
export type BrokerQueue = {
  /** The stage that it leads to */
  readonly stage: 'accepted' | 'dispatch' | 'receipts' | 'opt-outs' | 'parked'
  readonly lane: 'urgent' | 'normal' | 'bulk' | null
  readonly messages: number | null
}

/** Proof that no message was lost */
export type LedgerFigures = {
  /** Messages that were recorded, since the installation began; read every ten seconds */
  readonly accepted: number
  /** Those of them that have ended */
  readonly final: number
  /** The others */
  readonly inFlight: number
  readonly gap: number | null
  readonly atGate: number | null
  readonly checkedAt: string | null
}

/** A route, or a share of one, that takes no messages */
export type UnhealthyShare = {
  /** Id of the route */
  readonly route: string
  /** Id of the share: that of the route, unless it has several owners */
  readonly share: string
  /** What is wrong with it */
  readonly state: string
}

/** Links to carriers */
export type CarrierLinks = {
  /** Routes that are enabled */
  readonly routes: number
  /** Their shares: one for each route, unless it has several owners */
  readonly shares: number
  /** Shares that take messages */
  readonly healthy: number
  /** The others, at most 50 */
  readonly unhealthy: readonly UnhealthyShare[]
  /** Routes that an operator has paused or drains */
  readonly closed: number
  /** Routes that are disabled */
  readonly disabled: number
}

/** What flows over a route */
export type RouteFigures = {
  /** Id of the route */
  readonly id: string
  /** What an operator lets it do */
  readonly traffic: 'open' | 'paused' | 'draining'
  /** Whether it takes messages */
  readonly usable: boolean
  /** healthy, or what is wrong with it */
  readonly state: string
  /** Steps that reached it in the last second */
  readonly arrivals: number
  /** Parts that it submitted in the last second */
  readonly submitted: number
  /** Messages reported as delivered, per second over the last full minute */
  readonly delivered: number
  /** Messages that failed because of it, per second over the last full minute */
  readonly failed: number
  /** Parts that wait in the memory of its owners */
  readonly queued: number
  /** Steps that wait for it in PostgreSQL, of those that were counted */
  readonly waiting: number
  /** How long the oldest of them has waited that could be submitted now; 0 without one */
  readonly waitingSeconds: number
  /** Share of recent submissions that the carrier throttled, 0 to 1 */
  readonly throttledShare: number
  readonly slow: 'throttled' | 'limit' | 'answers' | null
}

/** Whether PostgreSQL keeps up */
export type DatabaseFigures = {
  /** How long it took to read the figures of this answer from PostgreSQL, with the wait for a connection, in milliseconds */
  readonly readMs: number
  /** Statements that have waited for a lock for more than a second */
  readonly lockWaits: number
  /** How long the first of them has waited; 0 without one */
  readonly lockWaitSeconds: number
  readonly holder: {
    /** Its process id in PostgreSQL */
    readonly process: number
    /** Its database user */
    readonly user: string
    /** What it calls itself, such as psql; may be empty */
    readonly application: string
    readonly table: string | null
  } | null
}

/** An account with a backlog */
export type BusyAccount = {
  /** Client id of the account */
  readonly account: string
  /** Name of the account */
  readonly name: string
  /** Messages that were accepted in the last full minute and the present one */
  readonly accepted: number
  /** Steps that wait for a route, of those that were counted */
  readonly waiting: number
  /** How long the oldest of them has waited; 0 without one */
  readonly oldestSeconds: number
}

/** Who waits for routes */
export type Backlog = {
  /** Steps that wait for a route and could be submitted now, of those that were counted */
  readonly due: number
  /** Whether more wait than were counted */
  readonly more: boolean
  /** Accounts with the most of them, at most 5 */
  readonly accounts: readonly BusyAccount[]
  readonly othersSeconds: number | null
  /** Whether messages of other accounts than the first were accepted in the last full minute or the present one */
  readonly othersSend: boolean
}

/** A route on which much fails */
export type FailingRoute = {
  /** Id of the route */
  readonly route: string
  /** Messages of the last ten minutes that were submitted over it, of the newest 500 */
  readonly sent: number
  /** Those of them that were refused or reported as failed */
  readonly failed: number
  readonly code: string | null
  readonly text: string | null
  readonly carrierCode: string | null
  readonly prefix: string | null
}

/** What fails; read every ten seconds. Empty while it cannot be read */
export type FailureFigures = {
  /** Routes on which much fails, the worst first, at most 3 */
  readonly routes: readonly FailingRoute[]
  /** Messages of the last ten minutes that ended, of the newest 2,000 */
  readonly ended: number
  /** Those of them that ended with 90000: no route serves them */
  readonly unserved: number
}

/** Something that needs a person */
export type Alarm = {
  /** What kind of alarm it is */
  readonly id: string
  /** critical: messages are lost or stand still */
  readonly severity: 'critical' | 'warning'
  /** What is wrong */
  readonly text: string
  /** What to do next */
  readonly action: string
  readonly path: string | null
}

/** Whether traffic flows */
export type Now = {
  /** When the figures were read */
  readonly at: string
  readonly readings: FigureTimes
  readonly rates: MessageRates
  readonly flow: MessageFlow
  /** Routes that are enabled, at most 12: those with the most work or trouble first */
  readonly lanes: readonly RouteLane[]
  readonly ages: StageAges
  /** What waits in RabbitMQ */
  readonly queues: readonly BrokerQueue[]
  /** The backlog in PostgreSQL */
  readonly waiting: {
    /** Steps that wait in PostgreSQL; counted up to 50,000 */
    readonly count: number
    /** Whether there are more */
    readonly more: boolean
  }
  /** Parked jobs; counted up to 10,000 */
  readonly parked: number
  readonly ledger: LedgerFigures
  readonly links: CarrierLinks
  /** Enabled routes: first those with trouble, then those with the most to do; at most 100 */
  readonly routes: readonly RouteFigures[]
  /** Processes that submit messages */
  readonly workers: {
    /** Workers that renew their row */
    readonly running: number
    /** Workers that stopped without leaving */
    readonly silent: number
    /** Of the 32 partitions of routes */
    readonly partitionsWithoutOwner: number
  }
  /** Pushes to clients */
  readonly webhooks: {
    /** Webhooks that are enabled */
    readonly enabled: number
    /** Those of them whose pushes fail */
    readonly failing: number
    readonly failingLongest: {
      /** Id of the webhook */
      readonly id: string
      /** Client id of its account */
      readonly account: string
      /** Name of its account */
      readonly name: string
      /** Since when its pushes fail */
      readonly since: string
    } | null
    /** Webhooks that the gateway has disabled */
    readonly disabledByFailure: number
  }
  readonly database: DatabaseFigures
  readonly backlog: Backlog
  readonly failures: FailureFigures
  /** What is wrong, the worst first */
  readonly alarms: readonly Alarm[]
}

/** A message */
export type FoundMessage = {
  /** Key of the message */
  readonly msgKey: string
  readonly account: string | null
  /** Recipient: its last digits, unless it is revealed */
  readonly recipient: string
  readonly ref: string | null
  /** When it was accepted */
  readonly acceptedAt: string
  /** closed: it has ended */
  readonly state: 'open' | 'closed'
  readonly code: string | null
  readonly codeText: string | null
}

/** A page of the search */
export type FoundMessagePage = {
  /** Messages */
  readonly items: readonly FoundMessage[]
  readonly next: string | null
  readonly searchedUntil: string | null
}

export type SearchRecipientRequest = {
  /** How many to return at most */
  readonly limit: number
  /** The `next` of the previous page, with the same filters */
  readonly cursor?: string | undefined
  /** Client id of the account */
  readonly account: string
  /** Recipient as it was sent to */
  readonly recipient: string
  /** A report code of one of its steps */
  readonly code?: string | undefined
  /** Only open, or only closed messages */
  readonly state?: 'open' | 'closed' | undefined
  /** Accepted at or after this time */
  readonly from?: string | undefined
  /** Accepted before this time */
  readonly until?: string | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

/** An event of a message */
export type MessageEvent = {
  /** When it happened */
  readonly at: string
  /** What happened */
  readonly kind:
    | 'accepted'
    | 'held'
    | 'routed'
    | 'submitted'
    | 'receipt'
    | 'deadline'
    | 'ended'
    | 'fallback'
    | 'parked'
    | 'open'
    | 'closed'
  readonly step: number | null
  /** The same in words, with what it means and what to do */
  readonly text?: string | undefined
  /** The facts of the text; they depend on the kind */
  readonly details: Readonly<Record<string, unknown>>
}

/** A submission to a carrier, with its receipt */
export type MessageAttempt = {
  /** Step of the flow */
  readonly step: number
  /** Try of the step */
  readonly try: number
  /** Part of the text; 0: all at once */
  readonly part: number
  /** Number of parts */
  readonly parts: number
  /** Id of the route, or of a share of it */
  readonly route?: string | undefined
  readonly routeReason?: string | null | undefined
  readonly heldReason?: string | null | undefined
  readonly heldMs: number | null
  /** When it was submitted */
  readonly submittedAt: string
  /** The carrier's answer */
  readonly outcome: 'accepted' | 'refused' | 'unknown'
  readonly outcomeCode: string | null
  readonly carrierId?: string | null | undefined
  readonly result: 'delivered' | 'failed' | null
  readonly cause: string | null
  readonly receiptCode: string | null
  readonly resultAt: string | null
  readonly receivedAt: string | null
  /** How many receipts arrived */
  readonly receipts: number
  /** The receipt came after the end of the step */
  readonly late: boolean
  /** The recipient received another step or try as well */
  readonly deliveredTwice: boolean
}

/** A push of a report of the message */
export type MessagePush = {
  /** Id of the webhook */
  readonly webhookId: string
  /** Where it pushes, without path and query */
  readonly url: string
  /** Step whose report is pushed */
  readonly step: number
  /** disabled: it waits until the webhook is enabled; earlier: the report is older than the webhook; forgotten: the report is older than 3 days */
  readonly state: 'acknowledged' | 'retrying' | 'given-up' | 'queued' | 'disabled' | 'earlier' | 'forgotten'
  readonly tries: number | null
  readonly triedAt: string | null
  readonly retryAt: string | null
  readonly httpStatus: number | null
  /** Why the last try failed; empty when it did not, or is not known */
  readonly error: string
}

/** A message */
export type Message = {
  /** Key of the message */
  readonly msgKey: string
  readonly account: string | null
  readonly recipient: string | null
  readonly ref: string | null
  readonly acceptedAt: string | null
  /** Channels of its steps, in their order */
  readonly channels: readonly string[]
  /** parked: it was never recorded */
  readonly state: 'open' | 'closed' | 'parked'
  /** What happened, in order */
  readonly events: readonly MessageEvent[]
  /** Submissions, in order */
  readonly attempts: readonly MessageAttempt[]
  /** Pushes of its reports to the webhooks of its account */
  readonly pushes: readonly MessagePush[]
  /** Whether it waits for its scheduled time, and can be cancelled */
  readonly mayCancel: boolean
  /** Whether a rule holds it until an operator decides */
  readonly awaitsDecision: boolean
}

/** A route and its verdict */
export type RouteDecision = {
  /** Id of the route, or of a share of it */
  readonly id: string
  /** Id of the route */
  readonly routeId: string
  /** Lower is preferred */
  readonly priority: number
  /** Its share among routes of the same priority */
  readonly weight: number
  /** What becomes of it */
  readonly decision: 'taken' | 'passed over' | 'no match'
  /** Why */
  readonly reason: string
}

/** The explanation */
export type ExplainMessageResult = {
  /** The key that it is explained for */
  readonly msgKey: string
  readonly route: string | null
  /** Every route, in order of priority */
  readonly routes: readonly RouteDecision[]
  /** The step that it is explained for */
  readonly step: number
  /** Channel of the step */
  readonly channel: 'sms' | 'mms' | 'international' | 'rcs' | 'alimtalk' | 'friendtalk' | 'brandmessage'
}

export type CancelMessageRequest = {
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

/** The cancellation */
export type CancelMessageResult = {
  /** Key of the message */
  readonly msgKey: string
  /** true */
  readonly cancelled: boolean
}

/** Facts of the key */
export type KeyFacts = {
  /** Whether it has the form of a msgKey: 17 digits, then 15 digits or letters A-Z */
  readonly wellFormed: boolean
  readonly keyTime: string | null
  readonly cell: string | null
  /** The cell of this gateway */
  readonly ownCell: string
  /** How long messages are kept, in days */
  readonly retentionDays: number
}

/** Report codes */
export type ListCodesResult = {
  /** Report codes, in order */
  readonly codes: readonly {
    /** Report code */
    readonly code: string
    /** Whether it means that the message was delivered */
    readonly delivered: boolean
    /** What it means */
    readonly text: string
    /** The usual cause */
    readonly cause: string
    /** What to do next */
    readonly action: string
  }[]
}

export type SearchTrafficRequest = {
  /** How many to return at most */
  readonly limit: number
  /** The `next` of the previous page, with the same filters */
  readonly cursor?: string | undefined
  /** Recipient, such as 01012345678 or +821012345678 */
  readonly recipient?: string | undefined
  /** Number, chatbot or key that it was sent from, as the client named it */
  readonly sender?: string | undefined
  /** Client id of the account */
  readonly account?: string | undefined
  /** Sent at or after this time */
  readonly from?: string | undefined
  /** Sent before this time */
  readonly until?: string | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

/** A traffic record */
export type TrafficRecord = {
  /** Key of the message */
  readonly msgKey: string
  /** Client id of its account */
  readonly account: string
  readonly sender: string | null
  /** Channel of the step that decided the outcome */
  readonly channel: string
  /** Its report code */
  readonly reportCode: string
  /** When it was sent */
  readonly sentAt: string
}

/** A page of the list */
export type TrafficRecordPage = {
  /** Traffic records */
  readonly items: readonly TrafficRecord[]
  readonly next: string | null
}

/** A share of a route */
export type RouteShare = {
  /** Id of the share: that of the route, unless it has several owners */
  readonly id: string
  readonly worker: string | null
  /** Whether it takes messages */
  readonly usable: boolean
  /** healthy, or what is wrong with it */
  readonly state: string
  readonly linkReason: string | null
}

/** What flows over it */
export type RouteFlow = {
  /** down: it takes nothing although it should; impaired: a share of it is down or on trial, the carrier throttles, or many messages fail; closed: an operator has paused it or drains it */
  readonly trouble: 'down' | 'impaired' | 'closed' | 'none' | 'disabled'
  readonly rate: number | null
  /** Parts that it submitted in the last second */
  readonly submitted: number
  /** Parts that wait in the memory of its owners */
  readonly queued: number
  /** Share of recent submissions that the carrier throttled, 0 to 1 */
  readonly throttledShare: number
  readonly deliveryRate: number | null
  /** Steps that wait for it in PostgreSQL, of the 50,000 that are counted for all routes */
  readonly waiting: number
  /** Messages of the last hour that were delivered */
  readonly delivered: number
  /** Messages of the last hour that failed because of it */
  readonly failed: number
  readonly trafficShare: number | null
  /** Results of each of the last 60 minutes, the present one last; empty without any */
  readonly curve: {
    /** Delivered */
    readonly delivered: readonly number[]
    /** Failed because of it */
    readonly failed: readonly number[]
  }
}

/** A route */
export type Route = {
  /** Id of the route */
  readonly id: string
  /** Whether it is enabled */
  readonly enabled: boolean
  /** paused: it submits nothing; draining: it takes nothing new and stays linked for receipts; both until it is enabled */
  readonly traffic: 'open' | 'paused' | 'draining'
  /** Whether a share of it takes messages */
  readonly usable: boolean
  /** healthy, or what is wrong with it */
  readonly state: string
  /** Its shares, one for each owner */
  readonly shares: readonly RouteShare[]
  /** Processes that submit over it at the same time */
  readonly owners: number
  /** Lower is preferred */
  readonly priority: number
  /** Its share among routes of the same priority */
  readonly weight: number
  /** Kind of its connector */
  readonly protocol: string
  /** Its rate; 0: as fast as the carrier allows */
  readonly partsPerSecond: number
  /** Channels that it serves */
  readonly channels: readonly string[]
  /** Accounts that it serves; empty: all */
  readonly accounts: readonly string[]
  /** Prefixes of numbers that it serves; empty: all */
  readonly prefixes: readonly string[]
  /** Recipients' carriers that it serves; empty: all */
  readonly carriers: readonly string[]
  readonly minDeliveryRate: number | null
  /** How long messages wait for it before another route is chosen */
  readonly failoverAfterSeconds: number
  /** What happens at the deadline to a step that may have been submitted: fail or resend */
  readonly unknownPolicy: string
  readonly flow: RouteFlow
}

/** A page of the list */
export type RoutePage = {
  /** Routes */
  readonly items: readonly Route[]
  readonly next: string | null
}

/** What the owner of a share last published */
export type LiveShare = {
  /** Id of the share */
  readonly share: string
  /** Whether it is linked to the carrier */
  readonly linked: boolean
  readonly linkReason: string | null
  readonly rate: number | null
  /** Its circuit breaker; open: it takes nothing */
  readonly breaker: 'closed' | 'open' | 'half-open'
  /** Share of recent submissions that the carrier throttled, 0 to 1 */
  readonly throttledShare: number
  readonly deliveryRate: number | null
  /** Steps that reached it in the last second */
  readonly arrivals: number
  /** Parts that it submitted in the last second */
  readonly submitted: number
  /** Parts that wait in the memory of its owner */
  readonly queued: number
  /** When its owner was last heard of */
  readonly seenAt: string
}

/** Results of a minute */
export type RouteMinute = {
  /** The minute */
  readonly minute: string
  /** Messages that were delivered */
  readonly delivered: number
  /** Messages that failed because of the route */
  readonly failed: number
}

/** A route */
export type RouteDetail = {
  /** Id of the route */
  readonly id: string
  /** Whether it is enabled */
  readonly enabled: boolean
  /** paused: it submits nothing; draining: it takes nothing new and stays linked for receipts; both until it is enabled */
  readonly traffic: 'open' | 'paused' | 'draining'
  /** Whether a share of it takes messages */
  readonly usable: boolean
  /** healthy, or what is wrong with it */
  readonly state: string
  /** Its shares, one for each owner */
  readonly shares: readonly RouteShare[]
  /** Processes that submit over it at the same time */
  readonly owners: number
  /** Lower is preferred */
  readonly priority: number
  /** Its share among routes of the same priority */
  readonly weight: number
  /** Kind of its connector */
  readonly protocol: string
  /** Its rate; 0: as fast as the carrier allows */
  readonly partsPerSecond: number
  /** Channels that it serves */
  readonly channels: readonly string[]
  /** Accounts that it serves; empty: all */
  readonly accounts: readonly string[]
  /** Prefixes of numbers that it serves; empty: all */
  readonly prefixes: readonly string[]
  /** Recipients' carriers that it serves; empty: all */
  readonly carriers: readonly string[]
  readonly minDeliveryRate: number | null
  /** How long messages wait for it before another route is chosen */
  readonly failoverAfterSeconds: number
  /** What happens at the deadline to a step that may have been submitted: fail or resend */
  readonly unknownPolicy: string
  /** Of the settings; send it as `If-Match` to replace or delete the route */
  readonly version: string
  /** Options of its connector; secrets are masked */
  readonly options: Readonly<Record<string, unknown>>
  /** Options that it leaves out and that have a default, by path such as `tls.verify` */
  readonly defaults: Readonly<Record<string, unknown>>
  /** What the owners of its shares last published */
  readonly live: readonly LiveShare[]
  /** Results of the last 60 minutes, the oldest first */
  readonly minutes: readonly RouteMinute[]
  /** Steps that wait for it in PostgreSQL; counted up to 10000 */
  readonly waiting: number
  /** Whether there are more */
  readonly waitingMore: boolean
  /** How long the oldest of them has waited that could be submitted now; 0 without one */
  readonly waitingSeconds: number
  readonly slow: 'throttled' | 'limit' | 'answers' | null
}

export type ExplainRouteRequest = {
  /** Client id of the account */
  readonly account: string
  /** Channel of the message */
  readonly channel: 'sms' | 'mms' | 'international' | 'rcs' | 'alimtalk' | 'friendtalk' | 'brandmessage'
  /** Recipient, such as 01012345678 or +819012345678 */
  readonly to: string
  /** Among routes of equal priority the key decides */
  readonly msgKey?: string | undefined
}

/** The explanation */
export type RouteExplanation = {
  /** The key that it is explained for */
  readonly msgKey: string
  readonly route: string | null
  /** Every route, in order of priority */
  readonly routes: readonly RouteDecision[]
}

/** A kind of connector */
export type Connector = {
  /** Its name */
  readonly protocol: string
  /** parts, or whole messages */
  readonly submits: string
  /** Its options; docs/connectors describes them */
  readonly options: readonly string[]
}

/** Kinds of connectors */
export type ListConnectorsResult = {
  /** Kinds of connectors */
  readonly connectors: readonly Connector[]
}

/** Numbers to which nearly everything fails */
export type FailingPrefix = {
  /** What the numbers begin with, at most 6 characters; empty: whatever the number */
  readonly prefix: string
  /** Messages to them that failed with the code */
  readonly failed: number
  /** Messages to them, without those that failed with other codes */
  readonly sent: number
}

/** Failures with the same code */
export type RouteFailureCode = {
  readonly code: string | null
  readonly text: string | null
  readonly carrierCode: string | null
  /** Messages that failed with it */
  readonly failed: number
  /** Key of the newest of them */
  readonly newest: string
  /** Those of the numbers that fail while others are served, at most 3; empty: failures are spread */
  readonly prefixes: readonly FailingPrefix[]
}

/** What fails on a route */
export type RouteFailures = {
  /** Messages accepted at or after this time were looked at */
  readonly since: string
  /** Messages that were submitted over the route */
  readonly sent: number
  /** Those of them that were reported as delivered */
  readonly delivered: number
  /** Those of them that were refused or reported as failed */
  readonly failed: number
  /** The most frequent first, at most 10 */
  readonly codes: readonly RouteFailureCode[]
}

export type PutRouteRequest = {
  /** Channels that it serves */
  readonly channels: readonly (
    'sms' | 'mms' | 'international' | 'rcs' | 'alimtalk' | 'friendtalk' | 'brandmessage'
  )[]
  /** Kind of its connector */
  readonly protocol: string
  /** The link, as the connector describes it; *** keeps the secret that is stored, while the protocol and the options that say where the link goes stay */
  readonly options: Readonly<Record<string, unknown>>
  /** Whether it is used */
  readonly enabled: boolean
  /** Lower is preferred */
  readonly priority: number
  /** Its rate; 0: as fast as the carrier allows */
  readonly partsPerSecond: number
  /** Processes that submit over it at the same time */
  readonly owners: number
  /** Client ids of the accounts that it serves; empty: all */
  readonly accounts: readonly string[]
  /** Prefixes of numbers that it serves; empty: all */
  readonly prefixes: readonly string[]
  /** Recipients' carriers that it serves; empty: all */
  readonly carriers: readonly ('10000' | '10001' | '10002' | '10003' | '10006' | '10010')[]
  /** Its share among routes of the same priority */
  readonly weight: number
  /** Below this share of delivered messages another route is preferred; null: never */
  readonly minDeliveryRate: number | null
  /** How long its messages wait for it before they take another route */
  readonly failoverAfterSeconds: number
  /** What happens at the deadline to a step that may have been submitted */
  readonly unknownPolicy: 'fail' | 'resend'
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

/** The route */
export type PutRouteResult = {
  /** Id of the route */
  readonly id: string
  readonly version: string | null
}

/** The deletion */
export type DeleteRouteResult = {
  /** Id of the route */
  readonly id: string
  /** Steps that waited for it */
  readonly waiting: number
  /** true */
  readonly deleted: boolean
  /** What happens to them */
  readonly effect: string
}

export type PreviewRouteActRequest = {
  /** The act */
  readonly act: 'enable' | 'pause' | 'drain' | 'disable' | 'delete' | 'rate'
  /** Parts per second; 0: as fast as the carrier allows */
  readonly partsPerSecond?: number | undefined
}

/** What waits */
export type WaitingSteps = {
  /** Steps that wait for it in PostgreSQL; counted up to 50,000 */
  readonly steps: number
  /** Whether there are more */
  readonly more: boolean
  /** By lane */
  readonly lanes: readonly {
    /** The lane */
    readonly lane: 'urgent' | 'normal' | 'bulk'
    /** Steps that wait */
    readonly steps: number
    /** Their parts */
    readonly parts: number
  }[]
  /** The 20 accounts with the most */
  readonly accounts: readonly {
    /** Client id */
    readonly account: string
    /** Steps that wait */
    readonly steps: number
  }[]
}

/** What would happen */
export type RouteChangePreview = {
  /** The act */
  readonly act: 'enable' | 'pause' | 'drain' | 'disable' | 'delete' | 'rate'
  /** What it does, in words */
  readonly effect: string
  readonly waiting: WaitingSteps
  /** Waiting steps whose next route was computed */
  readonly looked: number
  /** Where they would go, the most first */
  readonly destinations: readonly {
    readonly route: string | null
    /** moved: to another route; waits: until the route is enabled or their deadline passes */
    readonly becomes: 'moved' | 'waits' | 'sent' | 'fails'
    /** How many of those that were looked at */
    readonly steps: number
  }[]
  /** Receipts that its carrier still owes */
  readonly receiptsOwed: {
    /** Submissions of open messages without a receipt */
    readonly count: number
    /** Whether there are more open messages than the 20,000 that were looked at */
    readonly more: boolean
  }
  /** Other routes that take messages of its channels, in order of preference; at most 20 */
  readonly alternatives: readonly {
    /** Id of the route */
    readonly id: string
    /** Channels that it serves */
    readonly channels: readonly string[]
    /** healthy, or what is wrong with it */
    readonly state: string
  }[]
  /** Its channels that no other route serves */
  readonly unservedChannels: readonly string[]
  readonly drainSeconds: number | null
}

export type EnableRouteRequest = {
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

/** The change */
export type RouteChange = {
  /** Id of the route */
  readonly id: string
  /** Whether it is enabled */
  readonly enabled: boolean
  /** Steps that wait for it, besides those in its queue */
  readonly waiting: number
  /** What happens to them */
  readonly effect: string
}

export type PauseRouteRequest = {
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

export type DrainRouteRequest = {
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

export type DisableRouteRequest = {
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

export type SetRouteRateRequest = {
  /** Parts per second; 0: as fast as the carrier allows */
  readonly partsPerSecond: number
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

/** The change */
export type SetRouteRateResult = {
  /** Id of the route */
  readonly id: string
  /** The rate from now on */
  readonly partsPerSecond: number
  /** The rate before */
  readonly before: number
}

/** A template */
export type Template = {
  /** Id of the template, as the carriers issued it */
  readonly id: string
  /** Its kind, whose limits are enforced */
  readonly kind: 'Free' | 'Description' | 'Cell' | 'Image'
}

/** A page of the list */
export type TemplatePage = {
  /** Templates */
  readonly items: readonly Template[]
  readonly next: string | null
}

export type PutTemplateRequest = {
  /** Its kind, whose limits are enforced */
  readonly kind: 'Free' | 'Description' | 'Cell' | 'Image'
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

/** The template */
export type DeleteTemplateResult = {
  /** Id of the template, as the carriers issued it */
  readonly id: string
}

export type PutRangesRequest = {
  /** A range in each line: a prefix such as 0102 or +8110, a comma and a carrier such as 10001 */
  readonly lines: string
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

/** The ranges */
export type NumberRanges = {
  /** Ranges that there are now */
  readonly ranges: number
}

/** Limits of its own */
export type AccountLimits = {
  readonly send: number | null
  readonly report: number | null
  readonly file: number | null
  readonly form: number | null
}

/** An account */
export type Account = {
  /** Client id of the account */
  readonly clientId: string
  /** Its name, for people */
  readonly name: string
  /** Whether its requests are served */
  readonly state: 'active' | 'blocked'
  /** Whether it is blocked */
  readonly blocked: boolean
  /** Whether it may poll its reports */
  readonly polling: boolean
  /** Whether its reports of international messages have resCnt */
  readonly partCounts: boolean
  /** Keys of its reports */
  readonly reportKeys: 'full' | 'plain'
  readonly limits: AccountLimits
  readonly lane?: 'urgent' | 'normal' | 'bulk' | 'codes' | null | undefined
  /** Its share of a route while other accounts wait too */
  readonly weight?: number | undefined
  readonly eraseAfterDays: number | null
  /** Whether the next step starts when it is not known whether one was delivered */
  readonly uncertainFallback: 'always' | 'after-timeout' | 'never'
  /** Binds over SMPP at a time, over all servers; 0: it may not use SMPP */
  readonly smppBinds: number
  readonly smppSystemId: string | null
  /** Whether what recipients write is delivered to its binds over SMPP */
  readonly smppReplies: boolean
}

/** A page of the list */
export type AccountPage = {
  /** Accounts */
  readonly items: readonly Account[]
  readonly next: string | null
}

/** A time in which the account was blocked */
export type AccountBlock = {
  /** When it was blocked */
  readonly at: string
  /** By whom */
  readonly by: string
  /** Why */
  readonly reason: string
  readonly notice: string | null
  /** What became of what waited */
  readonly backlog: 'close' | 'hold'
  /** Webhooks that were paused */
  readonly webhooks: number
  readonly submitted: number | null
  readonly closed: number | null
  readonly held: number | null
  readonly endedAt: string | null
  readonly endedBy: string | null
  readonly endedReason: string | null
}

/** An account */
export type AccountDetail = {
  /** Client id of the account */
  readonly clientId: string
  /** Its name, for people */
  readonly name: string
  /** Whether its requests are served */
  readonly state: 'active' | 'blocked'
  /** Whether it is blocked */
  readonly blocked: boolean
  /** Whether it may poll its reports */
  readonly polling: boolean
  /** Whether its reports of international messages have resCnt */
  readonly partCounts: boolean
  /** Keys of its reports */
  readonly reportKeys: 'full' | 'plain'
  readonly limits: AccountLimits
  readonly lane?: 'urgent' | 'normal' | 'bulk' | 'codes' | null | undefined
  /** Its share of a route while other accounts wait too */
  readonly weight?: number | undefined
  readonly eraseAfterDays: number | null
  /** Whether the next step starts when it is not known whether one was delivered */
  readonly uncertainFallback: 'always' | 'after-timeout' | 'never'
  /** Binds over SMPP at a time, over all servers; 0: it may not use SMPP */
  readonly smppBinds: number
  readonly smppSystemId: string | null
  /** Whether what recipients write is delivered to its binds over SMPP */
  readonly smppReplies: boolean
  /** When it was blocked */
  readonly stops?: readonly AccountBlock[] | undefined
}

export type CreateAccountRequest = {
  /** Its name, for people */
  readonly name: string
  /** Made when it is left out */
  readonly clientId?: string | undefined
  /** Whether it may poll its reports */
  readonly polling?: boolean | undefined
  /** Whether its reports of international messages have resCnt */
  readonly partCounts?: boolean | undefined
  /** Keys of its reports */
  readonly reportKeys?: 'full' | 'plain' | undefined
  readonly limits?:
    | {
        readonly send?: number | null | undefined
        readonly report?: number | null | undefined
        readonly file?: number | null | undefined
        readonly form?: number | null | undefined
      }
    | undefined
  readonly lane?: 'urgent' | 'normal' | 'bulk' | 'codes' | null | undefined
  /** Its share of a route while other accounts wait too */
  readonly weight?: number | undefined
  readonly eraseAfterDays?: number | null | undefined
  /** Whether the next step starts when it is not known whether one was delivered */
  readonly uncertainFallback?: 'always' | 'after-timeout' | 'never' | undefined
  /** Binds over SMPP at a time, over all servers; 0: it may not use SMPP */
  readonly smppBinds?: number | undefined
  readonly smppSystemId?: string | null | undefined
  /** Whether what recipients write is delivered to its binds over SMPP */
  readonly smppReplies?: boolean | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

/** The account */
export type CreateAccountResult = {
  /** Client id of the account */
  readonly clientId: string
  /** Its password, which is not stored */
  readonly password: string
  readonly dayCap: number | null
}

export type SetAccountRequest = {
  /** Whether it may poll its reports */
  readonly polling?: boolean | undefined
  /** Whether its reports of international messages have resCnt */
  readonly partCounts?: boolean | undefined
  /** Keys of its reports */
  readonly reportKeys?: 'full' | 'plain' | undefined
  readonly limits?:
    | {
        readonly send?: number | null | undefined
        readonly report?: number | null | undefined
        readonly file?: number | null | undefined
        readonly form?: number | null | undefined
      }
    | undefined
  readonly lane?: 'urgent' | 'normal' | 'bulk' | 'codes' | null | undefined
  /** Its share of a route while other accounts wait too */
  readonly weight?: number | undefined
  readonly eraseAfterDays?: number | null | undefined
  /** Whether the next step starts when it is not known whether one was delivered */
  readonly uncertainFallback?: 'always' | 'after-timeout' | 'never' | undefined
  /** Binds over SMPP at a time, over all servers; 0: it may not use SMPP */
  readonly smppBinds?: number | undefined
  readonly smppSystemId?: string | null | undefined
  /** Whether what recipients write is delivered to its binds over SMPP */
  readonly smppReplies?: boolean | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

export type BlockAccountRequest = {
  /** Keep what waits until the account is unblocked; the deadlines hold */
  readonly hold?: boolean | undefined
  /** How and when the customer was told */
  readonly notice?: string | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

/** The block */
export type BlockAccountResult = {
  /** Client id of the account */
  readonly clientId: string
  /** What becomes of what waits */
  readonly backlog: 'close' | 'hold'
  readonly submitted: number | null
  readonly closed: number | null
  readonly held: number | null
  readonly open: number | null
  /** Webhooks that are paused */
  readonly webhooks: number
  /** Why */
  readonly reason: string
}

/** A block in progress */
export type BlockProgress = {
  /** Client id of the account */
  readonly clientId: string
  /** What becomes of what waits */
  readonly backlog: 'close' | 'hold'
  /** Messages that carriers have now */
  readonly submitted: number
  /** Messages that the block has ended */
  readonly closed: number
  /** Messages that wait for the unblock */
  readonly held: number
  /** Messages that workers have yet to end or hold */
  readonly open: number
}

export type UnblockAccountRequest = {
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

/** The unblock */
export type UnblockAccountResult = {
  /** Client id of the account */
  readonly clientId: string
  /** Held messages that are sent now */
  readonly resumed: number
}

/** A consumer of the report stream */
export type ReportConsumer = {
  /** Name of the consumer */
  readonly name: string
  /** Reports that are not acknowledged */
  readonly behind: number
  readonly oldestAt: string | null
  /** When it last acknowledged reports */
  readonly acknowledgedAt: string
}

/** A cap */
export type Cap = {
  /** all, a channel, or the ISO code of a country */
  readonly class: string
  /** Of a day, or of a month */
  readonly period: 'day' | 'month'
  /** Messages at most; parts of international messages */
  readonly max: number
  /** Used in this day or month, with what processes have reserved */
  readonly used: number
}

/** The state of an account */
export type AccountState = {
  /** When it was read */
  readonly at: string
  /** Messages that have not ended */
  readonly open: number
  /** Messages that wait for a route or a time, the most first */
  readonly waiting: readonly {
    /** Why they wait. To a client what waits for a route is a queue, whatever the reason */
    readonly reason: 'owed' | 'backlog' | 'scheduled' | 'retry' | 'moved' | 'rule' | 'queue'
    /** Messages; all reasons together are counted up to 10000 */
    readonly count: number
    /** Since when the oldest of them waits */
    readonly oldestAt: string
  }[]
  readonly polling: {
    /** Reports that are not acknowledged */
    readonly behind: number
    readonly oldestAt: string | null
    readonly batchAt: string | null
  } | null
  /** Consumers of the report stream */
  readonly consumers: readonly ReportConsumer[]
  /** Limits of accounts that have none of their own */
  readonly configuredLimits: {
    /** Requests per second; 0: no limit */
    readonly send: number
    /** Requests per second; 0: no limit */
    readonly report: number
    /** Requests per second; 0: no limit */
    readonly file: number
    /** Requests per second; 0: no limit */
    readonly form: number
  }
  /** Caps by day and month */
  readonly caps: readonly Cap[]
  /** Where it may send international messages to */
  readonly countries: readonly string[]
  /** reseller: it sends for others */
  readonly kind: 'customer' | 'reseller'
  /** Whether its messages take sandbox routes alone */
  readonly sandbox: boolean
}

/** A key or password */
export type Credential = {
  /** Id of the key or password */
  readonly keyId: string
  /** What it is */
  readonly kind: 'password' | 'key' | 'smpp'
  /** What it is for */
  readonly name: string
  /** Whether it works */
  readonly active: boolean
  readonly scopes: readonly ('send' | 'report' | 'replies' | 'files' | 'webhooks' | 'usage')[] | null
  readonly networks: readonly string[] | null
  /** Who made it */
  readonly createdBy?: string | undefined
  /** When it was made */
  readonly createdAt: string
  readonly endsAt: string | null
  readonly revokedAt: string | null
  readonly replacedBy: string | null
  readonly usedAt: string | null
  readonly usedFrom: string | null
}

/** Keys and passwords */
export type ListCredentialsResult = {
  /** Keys and passwords */
  readonly credentials: readonly Credential[]
}

export type AddCredentialRequest = {
  /** What it is for */
  readonly name: string
  readonly scopes?: readonly ('send' | 'report' | 'replies' | 'files' | 'webhooks' | 'usage')[] | undefined
  /** Days after which it ends */
  readonly days?: number | undefined
  /** Networks in CIDR notation */
  readonly networks?: readonly string[] | undefined
  /** Make a password of eight characters for binds over SMPP instead */
  readonly smpp?: boolean | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

/** The key or password */
export type AddCredentialResult = {
  /** Id of the key or password */
  readonly keyId: string
  /** The key or password, which is not stored */
  readonly key: string
  readonly endsAt: string | null
  readonly systemId: string | null
}

/** What was revoked */
export type RevokeCredentialResult = {
  /** What it was */
  readonly kind: 'password' | 'key' | 'smpp'
  /** Webhooks whose URL was set with it: whoever had the key may have chosen it */
  readonly webhooks: readonly {
    /** Id of the webhook */
    readonly id: string
    /** Its URL, masked */
    readonly url: string
    /** Whether it is pushed to */
    readonly enabled: boolean
  }[]
}

export type RevokeTokensRequest = {
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

/** The account */
export type RevokeTokensResult = {
  /** Client id of the account */
  readonly clientId: string
}

export type RotateCredentialRequest = {
  /** Hours that the previous one still works; 0 ends it at once, with its tokens */
  readonly overlapHours?: number | undefined
  /** Also when an earlier one still works: it ends at once */
  readonly force?: boolean | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

/** The key */
export type RotateCredentialResult = {
  /** Id of the new key */
  readonly keyId: string
  /** The key, which is not stored */
  readonly key: string
  readonly previousUntil: string | null
}

export type ChangePasswordRequest = {
  /** Hours that the previous one still works; 0 ends it at once, with its tokens */
  readonly overlapHours?: number | undefined
  /** Also when an earlier one still works: it ends at once */
  readonly force?: boolean | undefined
  /** Days after which it ends; 0: never */
  readonly days?: number | undefined
  /** Networks in CIDR notation that it may be used from; empty: all */
  readonly networks?: readonly string[] | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

/** The password */
export type ChangePasswordResult = {
  /** Id of the password */
  readonly keyId: string
  /** The password, which is not stored */
  readonly password: string
  readonly previousUntil: string | null
  readonly endsAt: string | null
}

export type EraseRecipientRequest = {
  /** The number */
  readonly recipient: string
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

/** The erasure */
export type EraseRecipientResult = {
  /** Messages that were erased */
  readonly erased: number
  /** Messages that are still open */
  readonly open: number
  /** Images that only these messages used: deleted within an hour */
  readonly files: number
  /** Replies of the number that were deleted */
  readonly replies: number
  /** Parked jobs that name the number */
  readonly parked: readonly number[]
}

/** A key */
export type TokenKey = {
  /** Its number */
  readonly id: number
  /** Since when it signs */
  readonly signsFrom: string
  readonly retiredAt: string | null
  /** Who made it */
  readonly createdBy: string
  /** When it was made */
  readonly createdAt: string
  /** signs, signs from a time, accepted until a time, or retired */
  readonly state: string
}

/** A page of the list */
export type TokenKeyPage = {
  /** Keys, the oldest first */
  readonly items: readonly TokenKey[]
  readonly next: string | null
}

export type RotateTokenKeyRequest = {
  /** Refuse the tokens of earlier keys as soon as the new one signs */
  readonly leaked?: boolean | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

/** The new key */
export type RotateTokenKeyResult = {
  /** Its number */
  readonly id: number
  /** Since when it signs */
  readonly signsFrom: string
  /** Whether tokens of earlier keys are refused from then on */
  readonly earlierRefused: boolean
}

/** A page of the map */
export type ShowCellMapResult = {
  /** Name of this cell */
  readonly cell: string
  /** Accounts */
  readonly items: readonly {
    /** Client id of the account */
    readonly clientId: string
  }[]
  readonly next: string | null
}

/** A sender */
export type Sender = {
  /** Id of the sender */
  readonly id: string
  /** Client id of the account */
  readonly account: string
  /** What it is */
  readonly kind: 'number' | 'international' | 'chatbot' | 'brand' | 'kakao-key' | 'kakao-template'
  /** The number or key; of a mobile number the last digits */
  readonly value: string
  /** active: it may be sent from */
  readonly state: 'pending' | 'rejected' | 'active' | 'blocked' | 'expired'
  readonly validUntil: string | null
  readonly proof: 'certificate' | 'phone-check' | 'consent' | 'carrier-review' | 'operator' | null
  readonly proofIssued: string | null
  /** When it was registered */
  readonly createdAt: string
  /** When it was last changed */
  readonly updatedAt: string
}

/** A page of the list */
export type SenderPage = {
  /** Senders */
  readonly items: readonly Sender[]
  readonly next: string | null
}

export type FindSenderRequest = {
  /** Client id of the account */
  readonly account: string
  /** What it is */
  readonly kind: 'number' | 'international' | 'chatbot' | 'brand' | 'kakao-key' | 'kakao-template'
  /** The number or key */
  readonly value: string
}

/** A change of its state */
export type SenderChange = {
  /** When */
  readonly at: string
  /** By whom */
  readonly by?: string | undefined
  readonly from: 'pending' | 'rejected' | 'active' | 'blocked' | null
  /** The state after */
  readonly to: 'pending' | 'rejected' | 'active' | 'blocked'
  readonly validUntil: string | null
  /** Why */
  readonly reason?: string | undefined
  readonly proof: 'certificate' | 'phone-check' | 'consent' | 'carrier-review' | 'operator' | null
  readonly proofIssued: string | null
  readonly proofReference?: string | null | undefined
}

/** A sender */
export type SenderDetail = {
  /** Id of the sender */
  readonly id: string
  /** Client id of the account */
  readonly account: string
  /** What it is */
  readonly kind: 'number' | 'international' | 'chatbot' | 'brand' | 'kakao-key' | 'kakao-template'
  /** The number or key; of a mobile number the last digits */
  readonly value: string
  /** active: it may be sent from */
  readonly state: 'pending' | 'rejected' | 'active' | 'blocked' | 'expired'
  readonly validUntil: string | null
  readonly proof: 'certificate' | 'phone-check' | 'consent' | 'carrier-review' | 'operator' | null
  readonly proofIssued: string | null
  /** When it was registered */
  readonly createdAt: string
  /** When it was last changed */
  readonly updatedAt: string
  readonly proofReference?: string | null | undefined
  /** Changes of its state, the oldest first */
  readonly history: readonly SenderChange[]
}

/** The proof */
export type SenderProof = {
  /** How it was proven */
  readonly kind: 'certificate' | 'phone-check' | 'consent' | 'carrier-review' | 'operator'
  /** Where the proof is kept, such as a document number; not blank, without control characters */
  readonly reference: string
  /** The day it was issued */
  readonly issued?: string | undefined
}

export type AddSenderRequest = {
  /** What it is */
  readonly kind: 'number' | 'international' | 'chatbot' | 'brand' | 'kakao-key' | 'kakao-template'
  /** The number or key */
  readonly value: string
  /** The last day on which it may be sent from, in Korea; without it there is no end */
  readonly validUntil?: string | undefined
  readonly proof?: SenderProof | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

/** The sender */
export type AddSenderResult = {
  /** Id of the sender */
  readonly id: string
  /** Client id of the account */
  readonly account: string
  /** What it is */
  readonly kind: 'number' | 'international' | 'chatbot' | 'brand' | 'kakao-key' | 'kakao-template'
  /** The number or key; of a mobile number the last digits */
  readonly value: string
  /** active: it may be sent from */
  readonly state: 'pending' | 'rejected' | 'active' | 'blocked' | 'expired'
  readonly validUntil: string | null
  readonly proof: 'certificate' | 'phone-check' | 'consent' | 'carrier-review' | 'operator' | null
  readonly proofIssued: string | null
  /** When it was registered */
  readonly createdAt: string
  /** When it was last changed */
  readonly updatedAt: string
  /** false: it was registered already, and nothing has changed */
  readonly changed: boolean
}

/** A sender */
export type SenderImportRow = {
  /** Line of the file, for errors */
  readonly line: number
  /** Client id of the account */
  readonly account: string
  /** What it is */
  readonly kind: 'number' | 'international' | 'chatbot' | 'brand' | 'kakao-key' | 'kakao-template'
  /** The number or key */
  readonly value: string
  /** The last day on which it may be sent from, in Korea; without it there is no end */
  readonly validUntil?: string | undefined
  readonly proof?: SenderProof | undefined
}

export type ImportSendersRequest = {
  /** Senders */
  readonly senders: readonly SenderImportRow[]
  /** Make them active at once, each with its proof; otherwise they are pending */
  readonly approve?: boolean | undefined
  /** Only check them */
  readonly dryRun?: boolean | undefined
  /** Hash of the whole file, for the audit log */
  readonly fileSha256?: string | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

/** The import */
export type ImportSendersResult = {
  /** Senders that are new or changed */
  readonly changed: number
  /** Senders that are blocked and stay so */
  readonly blocked: number
  /** Senders that were rejected and stay so */
  readonly rejected: number
  /** With `dryRun`: what would be refused */
  readonly errors: readonly {
    /** Its line */
    readonly line: number
    /** What is wrong with it */
    readonly error: string
  }[]
}

export type ApproveSenderRequest = {
  readonly proof?: SenderProof | undefined
  readonly validUntil?: string | null | undefined
  /** Its `updatedAt` as it was shown: refused as stale when it has changed since, such as its proof by the account */
  readonly updatedAt?: string | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

/** The sender */
export type SenderDecision = {
  /** Id of the sender */
  readonly id: string
  /** Client id of the account */
  readonly account: string
  /** What it is */
  readonly kind: 'number' | 'international' | 'chatbot' | 'brand' | 'kakao-key' | 'kakao-template'
  /** The number or key; of a mobile number the last digits */
  readonly value: string
  /** active: it may be sent from */
  readonly state: 'pending' | 'rejected' | 'active' | 'blocked' | 'expired'
  readonly validUntil: string | null
  readonly proof: 'certificate' | 'phone-check' | 'consent' | 'carrier-review' | 'operator' | null
  readonly proofIssued: string | null
  /** When it was registered */
  readonly createdAt: string
  /** When it was last changed */
  readonly updatedAt: string
  readonly from: 'pending' | 'rejected' | 'active' | 'blocked' | null
}

export type RejectSenderRequest = {
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

export type BlockSenderRequest = {
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

/** A webhook and its current state */
export type Webhook = {
  /** Id of the webhook */
  readonly id: string
  /** Client id of the account */
  readonly account: string
  /** Where it pushes; without path and query, unless it is revealed */
  readonly url: string
  /** Its name, for people */
  readonly name: string
  /** What it pushes */
  readonly events: 'reports' | 'replies'
  /** Whether it is pushed to */
  readonly enabled: boolean
  readonly disabledReason: 'owner' | 'gone' | 'failing' | 'unproved' | null
  readonly disabledAt: string | null
  /** Whether it waits because its account is blocked; it continues after the unblock */
  readonly paused: boolean
  readonly failingSince: string | null
  /** Reports that were never pushed */
  readonly behind: number
  /** Pushes that wait for their next try; counted up to 1000 */
  readonly retrying: number
  /** Pushes whose tries are exhausted; counted up to 1000 */
  readonly givenUp: number
  /** Pushes per second at most */
  readonly perSecond: number
  /** Pushes at the same time at most */
  readonly concurrency: number
  /** How long a push waits for its answer */
  readonly timeoutSeconds: number
  /** What acknowledges a push */
  readonly acknowledgement: 'msgKey' | 'status'
  /** Whether it receives a notice when another webhook of the account is disabled */
  readonly notices: boolean
  readonly previousSecretUntil: string | null
  /** When it was created */
  readonly createdAt: string
}

/** A page of the list */
export type WebhookPage = {
  /** Webhooks */
  readonly items: readonly Webhook[]
  readonly next: string | null
}

export type SetWebhookRequest = {
  /** Where it pushes */
  readonly url?: string | undefined
  /** Its name */
  readonly name?: string | undefined
  /** Whether it is pushed to */
  readonly enabled?: boolean | undefined
  /** Pushes per second at most */
  readonly perSecond?: number | undefined
  /** Pushes at the same time at most */
  readonly concurrency?: number | undefined
  /** How long a push waits for its answer */
  readonly timeoutSeconds?: number | undefined
  /** What acknowledges a push */
  readonly acknowledgement?: 'msgKey' | 'status' | undefined
  /** Whether it receives a notice when another webhook is disabled */
  readonly notices?: boolean | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

/** A push */
export type WebhookPush = {
  /** When the push ended */
  readonly at: string
  /** Id of the push: msgKey and step, or the id of a notice */
  readonly eventId: string
  readonly httpStatus: number | null
  /** How long it took */
  readonly ms: number
  /** Why it failed; empty when it was acknowledged */
  readonly error: string
}

/** A push that is not acknowledged */
export type FailedPush = {
  /** Id of the push */
  readonly eventId: string
  /** Tries so far */
  readonly tries: number
  /** When the last try failed */
  readonly failedAt: string
  readonly retryAt: string | null
  readonly httpStatus: number | null
  /** Why it failed */
  readonly error: string
}

/** Pushes of a webhook */
export type ListDeliveriesResult = {
  /** The last 50 pushes, newest first */
  readonly tries: readonly WebhookPush[]
  /** The last 100 pushes that are not acknowledged, newest first */
  readonly failed: readonly FailedPush[]
}

export type TestWebhookRequest = {
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

/** The answer */
export type TestWebhookResult = {
  /** Whether the answer would acknowledge a report */
  readonly acknowledged: boolean
  readonly httpStatus: number | null
  /** How long it took */
  readonly ms: number
  /** Why it would not; empty when it would */
  readonly error: string
}

/** The count */
export type CountReplayResult = {
  /** Reports that would be pushed again; failed ones are counted up to 1000 */
  readonly reports: number
}

export type ReplayWebhookRequest = {
  /** Those of one message */
  readonly msgKey?: string | undefined
  /** Pushes that failed since this time */
  readonly failedSince?: string | undefined
  /** All reports since this time */
  readonly allSince?: string | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

/** The replay */
export type ReplayWebhookResult = {
  /** Reports that are pushed again */
  readonly reports: number
}

export type AddWebhookRequest = {
  /** Where it pushes */
  readonly url: string
  /** What it pushes */
  readonly events?: 'reports' | 'replies' | undefined
  /** Its secret, `whsec_` and Base64; made when it is left out */
  readonly secret?: string | undefined
  /** Its name */
  readonly name?: string | undefined
  /** Pushes per second at most */
  readonly perSecond?: number | undefined
  /** Pushes at the same time at most */
  readonly concurrency?: number | undefined
  /** How long a push waits for its answer */
  readonly timeoutSeconds?: number | undefined
  /** What acknowledges a push */
  readonly acknowledgement?: 'msgKey' | 'status' | undefined
  /** Whether it receives a notice when another webhook is disabled */
  readonly notices?: boolean | undefined
  /** Whether it is pushed to */
  readonly enabled?: boolean | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

/** The webhook */
export type AddWebhookResult = {
  readonly webhook: Webhook
  /** Its secret */
  readonly secret: string
}

/** The removal */
export type RemoveWebhookResult = {
  /** Id of the webhook */
  readonly id: string
  /** true */
  readonly removed: boolean
}

export type RotateWebhookSecretRequest = {
  /** Its secret, `whsec_` and Base64; made when it is left out */
  readonly secret?: string | undefined
  /** Hours that the previous secret signs as well */
  readonly keepPreviousHours?: number | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

/** The secret */
export type RotateWebhookSecretResult = {
  /** The secret */
  readonly secret: string
  /** Until when the previous secret signs as well */
  readonly previousUntil: string
}

/** A parked job */
export type ParkedJob = {
  /** Number of the job */
  readonly id: number
  /** The stage that could not process it */
  readonly stage: 'intake' | 'dispatch' | 'settle' | 'opt-outs' | 'unreadable'
  readonly msgKey: string | null
  readonly reason: string | null
  /** How often it was parked */
  readonly times: number
  /** When it was last parked */
  readonly parkedAt: string
}

/** A page of the list */
export type ParkedJobPage = {
  /** Parked jobs */
  readonly items: readonly ParkedJob[]
  readonly next: string | null
}

/** Jobs of a stage that were parked for the same reason */
export type ParkedGroup = {
  /** The stage that could not process it */
  readonly stage: 'intake' | 'dispatch' | 'settle' | 'opt-outs' | 'unreadable'
  readonly reason: string | null
  /** How many */
  readonly jobs: number
  /** How often one of them was parked, at most */
  readonly times: number
  /** When the first of them was parked */
  readonly oldestAt: string
  /** When the last of them was parked */
  readonly newestAt: string
  /** Number of the job */
  readonly lastId: number
}

/** Parked jobs in groups */
export type ListParkedGroupsResult = {
  /** The largest first; at most 100 */
  readonly groups: readonly ParkedGroup[]
  /** Jobs in these groups; counted up to 50,000 */
  readonly counted: number
  /** Whether there are more jobs, or more groups */
  readonly more: boolean
}

/** A parked job */
export type ParkedJobDetail = {
  /** Number of the job */
  readonly id: number
  /** The stage that could not process it */
  readonly stage: 'intake' | 'dispatch' | 'settle' | 'opt-outs' | 'unreadable'
  readonly msgKey: string | null
  readonly reason: string | null
  /** How often it was parked */
  readonly times: number
  /** When it was last parked */
  readonly parkedAt: string
  /** What it is about, without what the client wrote */
  readonly keys: Readonly<Record<string, unknown>>
  /** Its size */
  readonly bytes: number
  readonly payload: string | null
}

/** Instead of numbers: all jobs, or those of a stage, or those parked for a reason; `parkedReason` null: those without a reason */
export type ParkedJobFilter = {
  /** The stage that could not process it */
  readonly stage?: 'intake' | 'dispatch' | 'settle' | 'opt-outs' | 'unreadable' | undefined
  readonly parkedReason?: string | null | undefined
  /** Only jobs after this one */
  readonly afterId?: number | undefined
  /** Only jobs up to this one: what is parked again meanwhile is left out */
  readonly lastId: number
}

export type RetryParkedRequest = {
  /** Numbers of jobs */
  readonly ids?: readonly number[] | undefined
  readonly group?: ParkedJobFilter | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

/** The retry */
export type RetryParkedResult = {
  /** Jobs that were handed over, in order */
  readonly jobs: readonly {
    /** Number of the job */
    readonly id: number
    /** The stage that could not process it */
    readonly stage: 'intake' | 'dispatch' | 'settle' | 'opt-outs' | 'unreadable'
    /** What became of it */
    readonly result: 'retried' | 'parked-again' | 'ended' | 'unreadable'
  }[]
  readonly stoppedAt: {
    /** Number of the job */
    readonly id: number
    /** Why */
    readonly error: string
  } | null
  /** Whether the group has more jobs */
  readonly more: boolean
}

export type DropParkedRequest = {
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

/** The drop */
export type DropParkedResult = {
  /** Number of the job */
  readonly id: number
  /** What it causes */
  readonly effect: string
}

/** A rule */
export type Rule = {
  /** Id of the rule */
  readonly rule: string
  /** What it demands */
  readonly demands: string
  /** switch: it can be turned on and off; always: it is always on */
  readonly control: 'switch' | 'always'
  /** Whether it is on; true without a switch */
  readonly enabled: boolean
  /** Settings that change what it demands */
  readonly settings: readonly string[]
  /** Where it is enforced */
  readonly enforcedAt: readonly string[]
  readonly code: string | null
  readonly changedAt: string | null
  readonly changedBy: string | null
  readonly reason: string | null
}

/** Rules */
export type ListRulesResult = {
  /** Rules */
  readonly rules: readonly Rule[]
}

export type EnableRuleRequest = {
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

/** The rule */
export type RuleState = {
  /** Id of the rule */
  readonly rule: string
  /** Whether it is on */
  readonly enabled: boolean
}

export type DisableRuleRequest = {
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

/** A held message */
export type HeldMessage = {
  /** Key of the message */
  readonly msgKey: string
  /** Client id of the account */
  readonly account: string
  /** Id of the rule */
  readonly rule: string
  /** Channel of the step */
  readonly channel: string
  /** Since when it is held */
  readonly since: string
  /** When it ends if nobody decides */
  readonly dueAt: string
}

/** A page of the list */
export type HeldMessagePage = {
  /** Held messages */
  readonly items: readonly HeldMessage[]
  readonly next: string | null
}

export type ReleaseHeldRequest = {
  /** Keys of messages */
  readonly msgKeys: readonly string[]
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

/** The decision */
export type HeldDecision = {
  /** Messages that were held and are decided now */
  readonly decided: number
  /** The others: they were decided before, or have ended */
  readonly notHeld: number
}

export type RefuseHeldRequest = {
  /** Keys of messages */
  readonly msgKeys: readonly string[]
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

/** What trust knows of an account */
export type AccountTrust = {
  /** Client id of the account */
  readonly clientId: string
  /** reseller: it sends for others, under its own origin code */
  readonly kind: 'customer' | 'reseller'
  /** Whether its messages take sandbox routes alone, so that it needs no registered sender */
  readonly sandbox: boolean
  /** Codes that its messages may carry as originCID, the first one where the client gives none */
  readonly originCodes: readonly string[]
}

export type SetAccountTrustRequest = {
  /** reseller: it sends for others, under its own origin code */
  readonly kind?: 'customer' | 'reseller' | undefined
  /** Whether its messages take sandbox routes alone, so that it needs no registered sender */
  readonly sandbox?: boolean | undefined
  /** Codes that its messages may carry as originCID, the first one where the client gives none */
  readonly originCodes?: readonly string[] | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

/** What advertisements of an account must have */
export type AccountAdvertising = {
  /** Client id of the account */
  readonly clientId: string
  /** Whether every text of it is an advertisement, marked or not */
  readonly advertiser: boolean
  /** Names of which one follows the mark (광고) */
  readonly names: readonly string[]
  /** Numbers by which recipients opt out */
  readonly optOutNumbers: readonly string[]
}

export type SetAccountAdvertisingRequest = {
  /** Whether every text of it is an advertisement, marked or not */
  readonly advertiser?: boolean | undefined
  /** Names of which one follows the mark (광고) */
  readonly names?: readonly string[] | undefined
  /** Numbers by which recipients opt out */
  readonly optOutNumbers?: readonly string[] | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

/** Hours of advertisements */
export type QuietHours = {
  readonly account: string | null
  /** The channel; *: all channels */
  readonly channel: 'sms' | 'mms' | 'international' | 'rcs' | 'alimtalk' | 'friendtalk' | 'brandmessage' | '*'
  /** When advertisements may be sent, from 08:00 on, in Korea, such as 08:30 */
  readonly opens: string
  /** When no more are sent, up to 21:00, in Korea, such as 08:30 */
  readonly closes: string
  /** What becomes of an advertisement at night */
  readonly night: 'refuse' | 'hold' | 'next-step'
}

/** A page of the list */
export type QuietHoursPage = {
  /** Hours, by account and channel */
  readonly items: readonly QuietHours[]
  readonly next: string | null
}

export type SetQuietHoursRequest = {
  /** Client id; left out: all accounts */
  readonly account?: string | undefined
  /** The channel; *: all channels */
  readonly channel?:
    'sms' | 'mms' | 'international' | 'rcs' | 'alimtalk' | 'friendtalk' | 'brandmessage' | '*' | undefined
  /** When advertisements may be sent, from 08:00 on, in Korea, such as 08:30 */
  readonly opens?: string | undefined
  /** When no more are sent, up to 21:00, in Korea, such as 08:30 */
  readonly closes?: string | undefined
  /** What becomes of an advertisement at night */
  readonly night?: 'refuse' | 'hold' | 'next-step' | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

/** What they were set for */
export type RemoveQuietHoursResult = {
  readonly account: string | null
  /** The channel; *: all channels */
  readonly channel: 'sms' | 'mms' | 'international' | 'rcs' | 'alimtalk' | 'friendtalk' | 'brandmessage' | '*'
}

/** What protects an account against abuse */
export type AccountProtection = {
  /** Client id of the account */
  readonly clientId: string
  /** Where it may send international messages to */
  readonly countries: readonly string[]
  /** What becomes of a suspicious message */
  readonly onSuspicion: 'refuse' | 'hold'
  readonly recipientPerHour: number | null
  readonly prefixPer10Minutes: number | null
  /** Which links its texts may have */
  readonly links: 'any' | 'no-shorteners' | 'listed'
  /** Domains whose links pass, with all under them */
  readonly linkDomains: readonly string[]
  /** Numbers and prefixes that velocity does not concern */
  readonly safeNumbers: readonly string[]
  /** Caps by day and month */
  readonly caps: readonly Cap[]
}

export type SetProtectionRequest = {
  /** Where it may send international messages to */
  readonly countries?: readonly string[] | undefined
  /** What becomes of a suspicious message */
  readonly onSuspicion?: 'refuse' | 'hold' | undefined
  readonly recipientPerHour?: number | null | undefined
  readonly prefixPer10Minutes?: number | null | undefined
  /** Which links its texts may have */
  readonly links?: 'any' | 'no-shorteners' | 'listed' | undefined
  /** Domains whose links pass, with all under them */
  readonly linkDomains?: readonly string[] | undefined
  /** Numbers and prefixes that velocity does not concern */
  readonly safeNumbers?: readonly string[] | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

export type SetAccountCapRequest = {
  /** all, a channel, or the ISO code of a country */
  readonly class: string
  readonly day?: number | null | undefined
  readonly month?: number | null | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

export type ShowSuppressionRequest = {
  /** Client id; left out: of all accounts */
  readonly account?: string | undefined
  /** The number */
  readonly recipient: string
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

/** What was known before */
export type SuppressionHistoryEntry = {
  /** suppressed, agreed or none */
  readonly state: string
  /** Whether a consent holds at night too */
  readonly night: boolean
  readonly since: string | null
  readonly source: string | null
  readonly reason: string | null
  /** Until when */
  readonly endedAt: string
}

/** What a recipient wants */
export type SuppressionEntry = {
  /** suppressed, agreed or none */
  readonly state: string
  /** Whether a consent holds at night too */
  readonly night: boolean
  readonly since: string | null
  readonly source: string | null
  readonly reason: string | null
  readonly index: string | null
  /** What was known before */
  readonly history: readonly SuppressionHistoryEntry[]
}

export type AddSuppressionRequest = {
  /** Client id of the account */
  readonly account?: string | undefined
  /** Numbers of recipients */
  readonly recipients: readonly string[]
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

/** The change */
export type SuppressionChange = {
  /** Entries that changed */
  readonly changed: number
}

export type RemoveSuppressionRequest = {
  /** Client id of the account */
  readonly account?: string | undefined
  /** Numbers of recipients */
  readonly recipients: readonly string[]
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

export type ImportSuppressionRequest = {
  /** Client id of the account */
  readonly account?: string | undefined
  /** Numbers of recipients */
  readonly recipients: readonly string[]
  /** What the recipients have decided */
  readonly state: 'suppressed' | 'agreed' | 'none'
  /** With agreed: to advertisements at night, too */
  readonly night?: boolean | undefined
  /** Since which day in Korea, from 2000-01-01 to today; left out: now. Required with agreed */
  readonly since?: string | undefined
  /** Hash of the whole file, for the audit log; not recorded with 10 recipients or fewer, which are named */
  readonly fileSha256?: string | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

/** The change */
export type ImportSuppressionResult = {
  /** Entries that changed */
  readonly changed: number
  /** Recipients for whom something else stays, which was entered after `since` */
  readonly kept: number
}

/** A cap */
export type AccountCap = {
  /** Client id of the account */
  readonly account: string
  /** `all`, a channel, or the ISO code of a country of international messages */
  readonly class: string
  /** Days and months are those of POSTERN_TIME_ZONE */
  readonly period: 'day' | 'month'
  /** At most so many messages; parts of international messages */
  readonly max: number
  /** Used, with what API processes have reserved */
  readonly used: number
}

/** A page of the list */
export type AccountCapPage = {
  /** Caps, by account, class and period */
  readonly items: readonly AccountCap[]
  readonly next: string | null
}

/** A page of the counts */
export type ShowUsageResult = {
  /** Counts, sorted by the groupings */
  readonly items: readonly {
    /** yyyy-MM-dd, in the time zone of all times here */
    readonly day?: string | undefined
    /** sms, mms, international, rcs, alimtalk and so on */
    readonly channel?: string | undefined
    /** Mobile carrier, as in reports */
    readonly carrier?: string | undefined
    /** delivered, failed, expired, unknown (the carrier never said) or cancelled */
    readonly outcome?: string | undefined
    /** paymentCode of the send; empty when it had none */
    readonly paymentCode?: string | undefined
    /** Messages whose last step this was */
    readonly messages: number
    /** Steps tried, which is the number of reports */
    readonly steps: number
    /** Parts of those steps */
    readonly parts: number
  }[]
  readonly next: string | null
}

/** A worker */
export type Worker = {
  /** Id of the worker */
  readonly id: string
  /** Host and process */
  readonly host: string
  /** When it started */
  readonly startedAt: string
  /** When it last renewed its row */
  readonly seenAt: string
  /** How long ago that was */
  readonly silentSeconds: number
  /** silent: the others take its partitions */
  readonly state: 'running' | 'takes no routes' | 'silent'
  /** Partitions of routes that it owns */
  readonly partitions: readonly number[]
  /** Shares of enabled routes in these partitions */
  readonly routes: number
  /** Whether it renews its row */
  readonly live: boolean
}

/** Workers */
export type ListWorkersResult = {
  /** Workers */
  readonly workers: readonly Worker[]
}

/** Messages that were confirmed and never recorded */
export type UnrecordedMinute = {
  /** The minute in which they were accepted */
  readonly minute: string
  readonly account: string | null
  /** Number of the account */
  readonly accountId: number
  /** The API process that accepted them */
  readonly process: string
  /** Messages that were confirmed to the client */
  readonly confirmed: number
  /** Messages that were recorded */
  readonly recorded: number
  /** The difference */
  readonly missing: number
}

/** Messages that were confirmed and never recorded */
export type UnrecordedMessages = {
  /** Messages that are missing, in all gaps */
  readonly missing: number
  /** How many gaps there are: one for each minute, process and account */
  readonly count: number
  /** The first gaps, at most 1000 */
  readonly gaps: readonly UnrecordedMinute[]
}

/** The comparison */
export type CompareLedgerResult = {
  /** Every account that has sent */
  readonly accounts: readonly {
    /** Number of the account */
    readonly accountId: number
    /** Client id; ?: the account does not exist any more */
    readonly clientId: string
    /** Messages that were recorded */
    readonly accepted: number
    /** Those of them that have ended */
    readonly final: number
    /** Messages that are open */
    readonly inFlight: number
    /** What is missing: accepted less final less in flight; below 0: recorded or closed twice */
    readonly gap: number
    /** Messages that were confirmed and never recorded */
    readonly atGate: number
  }[]
  /** Days of accounts whose counts and messages differ, at most 1000 */
  readonly gaps: readonly {
    /** Day of acceptance in UTC, yyyyMMdd */
    readonly day: string
    /** Number of the account */
    readonly accountId: number
    /** Messages that were recorded */
    readonly accepted: number
    /** Those of them that have ended */
    readonly final: number
    /** Messages that are open */
    readonly inFlight: number
    /** What is missing: accepted less final less in flight; below 0: recorded or closed twice */
    readonly gap: number
  }[]
  /** All of them, listed or not */
  readonly differences: {
    /** How many days of accounts differ */
    readonly count: number
    /** By how many messages, whether too many or too few */
    readonly messages: number
  }
  readonly atGate: UnrecordedMessages
}

/** The ledger */
export type ShowLedgerResult = {
  readonly checkedAt: string | null
  /** Messages that were lost, recorded twice or closed twice */
  readonly gap: number
  /** How many checks in a row found a gap */
  readonly consecutiveGaps: number
  readonly atGate: UnrecordedMessages
}

export type AcknowledgeLedgerRequest = {
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

/** What was acknowledged */
export type AcknowledgeLedgerResult = {
  /** Messages that are missing, in all gaps */
  readonly missing: number
  /** How many gaps there are: one for each minute, process and account */
  readonly count: number
  /** The first gaps, at most 1000 */
  readonly gaps: readonly UnrecordedMinute[]
}

/** A row of the audit log */
export type AuditRow = {
  /** Number of the row */
  readonly seq: number
  /** When it happened */
  readonly at: string
  /** Who did it */
  readonly actor: string
  /** In which role; shell: without operators; process: by a process */
  readonly role: string
  readonly keyId: string | null
  /** The host of a command, or the address of a request */
  readonly source: string
  /** The same for everything that one command or request did */
  readonly requestId: string
  /** What was done: the name of the command that does the same */
  readonly action: string
  /** How it ended; looked: personal data was shown */
  readonly result: 'done' | 'begun' | 'failed' | 'refused' | 'looked'
  /** What it was done to */
  readonly target: string
  readonly account: string | null
  /** Why */
  readonly reason: string
  /** What changed */
  readonly details: unknown
  /** The database user that wrote the row */
  readonly databaseUser: string
  /** Hash of the row before */
  readonly previousHash: string
  /** Hash of the row, which covers that of the row before */
  readonly hash: string
}

/** A page of the list */
export type AuditRowPage = {
  /** Rows */
  readonly items: readonly AuditRow[]
  readonly next: string | null
}

/** The verification */
export type VerifyAuditResult = {
  /** When it began; an answer that is younger than ten seconds is given again */
  readonly verifiedAt: string
  /** Rows that were verified */
  readonly rows: number
  /** Whether these are all */
  readonly all: boolean
  /** The last row */
  readonly last: {
    /** Its number */
    readonly seq: number
    /** Its hash */
    readonly hash: string
  }
  readonly broken: string | null
}

export type ExportAuditRequest = {
  /** Client id of the account */
  readonly account?: string | undefined
  /** Who did it */
  readonly actor?: string | undefined
  /** An action, or its first words such as `account` */
  readonly action?: string | undefined
  /** How it ended; looked: personal data was shown */
  readonly result?: 'done' | 'begun' | 'failed' | 'refused' | 'looked' | undefined
  /** What it was done to, exactly */
  readonly target?: string | undefined
  /** Of one command or request */
  readonly requestId?: string | undefined
  /** At or after this time */
  readonly since?: string | undefined
  /** Before this time */
  readonly until?: string | undefined
  /** The `next` of the previous page, with the same filters */
  readonly cursor?: string | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

/** A part of the export */
export type ExportAuditResult = {
  /** The rows; the first line has the names of the columns */
  readonly csv: string
  /** How many */
  readonly rows: number
  readonly next: string | null
}

export type ExportAuditRowsRequest = {
  /** How many to return at most */
  readonly limit: number
  /** The `next` of the previous page, with the same filters */
  readonly cursor?: string | undefined
  /** Only rows after this one */
  readonly after?: number | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

/** A row of the audit log */
export type ExportedAuditRow = {
  /** Number of the row */
  readonly seq: number
  /** When it happened */
  readonly at: string
  /** Who did it */
  readonly actor: string
  /** In which role; shell: without operators; process: by a process */
  readonly role: string
  readonly keyId: string | null
  /** The host of a command, or the address of a request */
  readonly source: string
  /** The same for everything that one command or request did */
  readonly requestId: string
  /** What was done: the name of the command that does the same */
  readonly action: string
  /** How it ended; looked: personal data was shown */
  readonly result: 'done' | 'begun' | 'failed' | 'refused' | 'looked'
  /** What it was done to */
  readonly target: string
  readonly account: string | null
  /** Why */
  readonly reason: string
  /** What changed, as the text that is hashed */
  readonly details: string
  /** The database user that wrote the row */
  readonly databaseUser: string
  /** Hash of the row before */
  readonly previousHash: string
  /** Hash of the row, which covers that of the row before */
  readonly hash: string
}

/** A page of the export */
export type ExportAuditRowsResult = {
  /** Rows */
  readonly items: readonly ExportedAuditRow[]
  /** The last row of the export */
  readonly last: {
    /** Its number */
    readonly seq: number
    /** Its hash */
    readonly hash: string
  }
  readonly next: string | null
}

/** A phone */
export type SandboxPhone = {
  /** Number */
  readonly to: string
  /** Messages among the 200 newest */
  readonly messages: number
  /** Key of the last message */
  readonly lastKey: string
  /** When the last message was accepted */
  readonly lastAt: string
  /** Channel */
  readonly channel: 'sms' | 'mms' | 'international' | 'rcs' | 'alimtalk' | 'friendtalk' | 'brandmessage'
  /** delivered: the phone shows it. failed: it does not. pending: no receipt yet. no-receipt: the step has ended without one */
  readonly state: 'pending' | 'delivered' | 'failed' | 'no-receipt'
  /** The beginning of the last message; empty when it is not shown */
  readonly preview: string
}

/** Phones */
export type ListSandboxNumbersResult = {
  /** Phones */
  readonly items: readonly SandboxPhone[]
  /** Routes of the sandbox; without one there is nothing to show */
  readonly routes: number
}

/** A picture */
export type SandboxImage = {
  readonly file: number | null
  readonly address: string | null
  readonly opens: string | null
}

/** An entry of a list inside of a card */
export type SandboxCardItem = {
  readonly title: string | null
  readonly text: string | null
  readonly image: SandboxImage | null
  readonly opens: string | null
}

/** A button */
export type SandboxButton = {
  /** What is written on it */
  readonly label: string
  /** What a press does. reply: sends `target` to the sender as a reply; chat: writes in the chat of the Kakao channel, which no carrier delivers to this gateway */
  readonly does:
    | 'url'
    | 'app'
    | 'call'
    | 'map'
    | 'location'
    | 'calendar'
    | 'copy'
    | 'compose'
    | 'reply'
    | 'chat'
    | 'tracking'
    | 'channel'
    | 'form'
    | 'other'
  readonly target: string | null
}

/** A card */
export type SandboxCard = {
  /** Pictures, above the text */
  readonly images: readonly SandboxImage[]
  readonly header: string | null
  readonly title: string | null
  readonly text: string | null
  /** Label and value, one below the other */
  readonly lines: readonly {
    /** Label */
    readonly label: string
    /** Value */
    readonly value: string
    /** The sum of the others */
    readonly strong: boolean
  }[]
  /** Entries */
  readonly items: readonly SandboxCardItem[]
  readonly price: {
    /** What it costs */
    readonly now: string
    readonly before: string | null
    readonly off: string | null
  } | null
  readonly coupon: {
    /** Title */
    readonly title: string
    /** Description */
    readonly text: string
    readonly opens: string | null
  } | null
  readonly smallPrint: string | null
  /** Buttons, below the text */
  readonly buttons: readonly SandboxButton[]
}

/** A message as a phone shows it */
export type SandboxBubble = {
  /** It is marked as an advertisement */
  readonly advertisement: boolean
  readonly template: string | null
  /** One card, or those of a carousel */
  readonly cards: readonly SandboxCard[]
  readonly more: string | null
  /** Chips below it */
  readonly quickReplies: readonly SandboxButton[]
  readonly footer: string | null
}

/** A step of a message that was submitted */
export type SandboxStep = {
  /** Step of the flow, from 1: a higher one is a fallback */
  readonly step: number
  /** Channel */
  readonly channel: 'sms' | 'mms' | 'international' | 'rcs' | 'alimtalk' | 'friendtalk' | 'brandmessage'
  readonly msgType: string | null
  readonly from: string | null
  /** Id of the route */
  readonly route: string
  /** When the carrier got it */
  readonly submittedAt: string
  /** delivered: the phone shows it. failed: it does not. pending: no receipt yet. no-receipt: the step has ended without one */
  readonly state: 'pending' | 'delivered' | 'failed' | 'no-receipt'
  readonly stateAt: string | null
  readonly cause:
    | 'delivered'
    | 'timeout'
    | 'radio-failure'
    | 'phone-off'
    | 'buffer-full'
    | 'shadow-area'
    | 'temporary-failure'
    | 'failed'
    | 'no-subscriber'
    | 'bad-number'
    | 'refused'
    | 'unsupported'
    | 'spam'
    | 'attachment'
    | 'unregistered-sender'
    | 'duplicate'
    | 'night-hours'
    | 'origin-code'
    | 'no-route'
    | 'cancelled'
    | 'account-stopped'
    | 'suppressed'
    | 'cap'
    | 'advertisement-form'
    | 'outcome-unknown'
    | null
  readonly carrierCode: string | null
  readonly code: string | null
  readonly codeText: string | null
  readonly text: string | null
  readonly bubble: SandboxBubble | null
  readonly hidden: 'other-route' | 'erased' | null
}

/** A message to a phone of the sandbox */
export type SandboxMessage = {
  /** Key of the message */
  readonly msgKey: string
  readonly account: string | null
  /** Recipient; masked when a step went over a route that is not of the sandbox */
  readonly to: string
  readonly ref: string | null
  /** When it was accepted */
  readonly acceptedAt: string
  /** closed: it has ended */
  readonly state: 'open' | 'closed'
  /** Steps that were submitted, in their order */
  readonly steps: readonly SandboxStep[]
}

/** A page of the list */
export type SandboxMessagePage = {
  /** Messages */
  readonly items: readonly SandboxMessage[]
  readonly next: string | null
}

/** A picture */
export type ShowSandboxFileResult = {
  /** Such as image/jpeg */
  readonly contentType: string
  /** The picture */
  readonly base64: string
}

/** A route of the sandbox */
export type SandboxRoute = {
  /** Id of the route */
  readonly id: string
  /** Channels that it serves */
  readonly channels: readonly string[]
  /** Whether it is enabled */
  readonly enabled: boolean
  /** by-number: the last four digits of the recipient decide; slow: delivered after delaySeconds; failed: by a receipt; refused: at once; no-receipt: accepted, and nothing more; throttled: told to send less; unreachable: the link is down */
  readonly behaviour:
    'by-number' | 'delivered' | 'slow' | 'failed' | 'refused' | 'no-receipt' | 'throttled' | 'unreachable'
  /** Why messages fail or are refused */
  readonly cause:
    | 'timeout'
    | 'radio-failure'
    | 'phone-off'
    | 'buffer-full'
    | 'shadow-area'
    | 'temporary-failure'
    | 'failed'
    | 'no-subscriber'
    | 'bad-number'
    | 'refused'
    | 'unsupported'
    | 'spam'
    | 'attachment'
    | 'unregistered-sender'
    | 'duplicate'
    | 'night-hours'
    | 'origin-code'
  /** Seconds until the receipt of a slow carrier */
  readonly delaySeconds: number
}

/** Routes of the sandbox */
export type ListSandboxRoutesResult = {
  /** Routes, in the order of preference */
  readonly items: readonly SandboxRoute[]
}

export type SetSandboxBehaviourRequest = {
  /** by-number: the last four digits of the recipient decide; slow: delivered after delaySeconds; failed: by a receipt; refused: at once; no-receipt: accepted, and nothing more; throttled: told to send less; unreachable: the link is down */
  readonly behaviour:
    'by-number' | 'delivered' | 'slow' | 'failed' | 'refused' | 'no-receipt' | 'throttled' | 'unreachable'
  /** Why messages fail or are refused */
  readonly cause?:
    | 'timeout'
    | 'radio-failure'
    | 'phone-off'
    | 'buffer-full'
    | 'shadow-area'
    | 'temporary-failure'
    | 'failed'
    | 'no-subscriber'
    | 'bad-number'
    | 'refused'
    | 'unsupported'
    | 'spam'
    | 'attachment'
    | 'unregistered-sender'
    | 'duplicate'
    | 'night-hours'
    | 'origin-code'
    | undefined
  /** Seconds until the receipt of a slow carrier */
  readonly delaySeconds?: number | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

/** The change */
export type SetSandboxBehaviourResult = {
  /** Id of the route */
  readonly id: string
  /** by-number: the last four digits of the recipient decide; slow: delivered after delaySeconds; failed: by a receipt; refused: at once; no-receipt: accepted, and nothing more; throttled: told to send less; unreachable: the link is down */
  readonly behaviour:
    'by-number' | 'delivered' | 'slow' | 'failed' | 'refused' | 'no-receipt' | 'throttled' | 'unreachable'
}

/** A reply */
export type SandboxReply = {
  /** Key of the reply */
  readonly replyKey: string
  readonly account: string | null
  /** Number, chatbot or brand that it was written to */
  readonly to: string
  /** What was written */
  readonly text: string
  readonly choice: 'opt-out' | 'opt-in' | null
  /** When it was sent */
  readonly at: string
}

/** Replies */
export type ListSandboxRepliesResult = {
  /** Replies */
  readonly items: readonly SandboxReply[]
}

export type SendSandboxReplyRequest = {
  /** What the recipient writes */
  readonly text: string
  /** The step that is answered; the last one otherwise */
  readonly step?: number | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

/** A reply */
export type SendSandboxReplyResult = {
  /** Number of the phone */
  readonly from: string
  /** Number, chatbot or brand that it was written to */
  readonly to: string
  /** Client id of the account that has got it */
  readonly account: string
  readonly advice: string | null
}

/** A session in a browser */
export type Session = {
  /** Id of the session */
  readonly id: string
  /** Name of the operator */
  readonly operator: string
  /** How the operator has signed in */
  readonly method: 'password' | 'oidc'
  /** Where from */
  readonly address: string
  /** The browser, as it calls itself */
  readonly agent: string
  /** When it began */
  readonly createdAt: string
  /** When it was last used, give or take half a minute */
  readonly usedAt: string
  /** When it ends at the latest */
  readonly endsAt: string
  /** When it ends unless it is used */
  readonly idleEndsAt: string
  /** Whether it is the one of this request */
  readonly current: boolean
}

/** Who is signed in */
export type SignedInOperator = {
  /** Name of the operator */
  readonly name: string
  /** Role of the operator */
  readonly role: 'viewer' | 'support' | 'operator' | 'admin' | 'client'
  readonly account: string | null
  /** How the request was authenticated */
  readonly signedInWith: 'key' | 'password' | 'oidc'
  readonly keyId: string | null
  readonly session: Session | null
  /** What the role may do; a client has none */
  readonly rights: readonly (
    | 'read'
    | 'accounts'
    | 'senders'
    | 'webhooks'
    | 'suppression'
    | 'sandbox'
    | 'block'
    | 'credentials'
    | 'routes'
    | 'messages'
    | 'reveal'
    | 'erase'
    | 'audit'
    | 'trust'
    | 'system'
    | 'operators'
  )[]
}

/** The session that has ended */
export type EndSessionResult = {
  /** Id of the session */
  readonly id: string
}

/** Sessions */
export type ListSessionsResult = {
  /** Sessions, 200 at most */
  readonly sessions: readonly Session[]
}

/** The session that has ended */
export type RevokeSessionResult = {
  /** Id of the session */
  readonly id: string
  /** Whose it was */
  readonly operator: string
}

/** A key, without its secret */
export type OperatorKey = {
  /** Id of the key */
  readonly keyId: string
  /** Whether it works */
  readonly usable: boolean
  /** Whether it was made by somebody else, and must be replaced before anything else */
  readonly initial: boolean
  /** When it was made */
  readonly createdAt: string
  /** By whom */
  readonly createdBy: string
  readonly endsAt: string | null
  readonly revokedAt: string | null
}

/** An operator */
export type Operator = {
  /** Name of the operator */
  readonly name: string
  /** What the person may do; client: an operator of a client */
  readonly role: 'viewer' | 'support' | 'operator' | 'admin' | 'client'
  readonly account: string | null
  readonly disabledAt: string | null
  /** When the operator was added */
  readonly createdAt: string
  /** By whom */
  readonly createdBy: string
  readonly issuer: string | null
  /** For the console; first: made by somebody else, to be replaced at the first sign-in */
  readonly password: 'none' | 'first' | 'own'
  /** Whether a second factor is enrolled */
  readonly totp: boolean
  /** Keys, the oldest first; revoked ones for 30 days */
  readonly keys: readonly OperatorKey[]
}

/** A page of the list */
export type OperatorPage = {
  /** Operators */
  readonly items: readonly Operator[]
  readonly next: string | null
}

export type AddOperatorRequest = {
  /** 1 to 64 lower-case letters, digits and . _ @ - */
  readonly name: string
  /** What the person may do; client: an operator of a client */
  readonly role: 'viewer' | 'support' | 'operator' | 'admin' | 'client'
  /** With the role client: the account that the login is for */
  readonly account?: string | undefined
  /** Days after which the key ends */
  readonly days?: number | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

/** The operator */
export type NewOperatorKey = {
  /** Name of the operator */
  readonly name: string
  /** Id of the key */
  readonly keyId: string
  /** The key, which is not stored */
  readonly key: string
  readonly endsAt: string | null
}

export type SetOperatorRequest = {
  /** What the person may do */
  readonly role: 'viewer' | 'support' | 'operator' | 'admin'
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

export type DisableOperatorRequest = {
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

export type EnableOperatorRequest = {
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

export type AddOperatorKeyRequest = {
  /** Days after which the key ends */
  readonly days?: number | undefined
  /** Also when the operator has a key that works; it is revoked with all others */
  readonly replace?: boolean | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

export type RotateOwnKeyRequest = {
  /** Days after which the key ends */
  readonly days?: number | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

export type RevokeOperatorKeyRequest = {
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

/** The key */
export type RevokeOperatorKeyResult = {
  /** Id of the key */
  readonly keyId: string
}

export type GiveOperatorPasswordRequest = {
  /** 12 to 200 characters */
  readonly password?: string | undefined
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

/** The password */
export type GiveOperatorPasswordResult = {
  /** Name of the operator */
  readonly name: string
  readonly password: string | null
}

export type SetOwnPasswordRequest = {
  /** 12 to 200 characters */
  readonly password: string
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason?: string | undefined
}

/** Whose password it is */
export type SetOwnPasswordResult = {
  /** Name of the operator */
  readonly name: string
}

export type ResetOperatorTotpRequest = {
  /** Why it is done, for the audit log; 1 to 200 characters without control characters */
  readonly reason: string
}

/** The second factor */
export type ResetOperatorTotpResult = {
  /** Name of the operator */
  readonly name: string
  /** Whether one was enrolled */
  readonly reset: boolean
}

/** Ways to sign in */
export type ShowSignInResult = {
  /** With name, password and code: POST /admin/v1/session */
  readonly password: boolean
  readonly oidc: {
    /** Path that a browser opens */
    readonly start: string
    /** The provider */
    readonly issuer: string
  } | null
}

export type StartSessionRequest = {
  /** Name of the operator */
  readonly name: string
  /** Password */
  readonly password: string
  /** Of the authenticator app, or a recovery code; left out at the first sign-in */
  readonly code?: string | undefined
  /** Replaces the password, and ends other sessions; needed when somebody else has set it */
  readonly newPassword?: string | undefined
}

/** How far the sign-in is */
export type SignInProgress = {
  /** done: signed in, and the answer sets the cookie. enrol: add the secret to an authenticator app, then repeat the request with its code. new-password: repeat the request with newPassword */
  readonly step: 'done' | 'enrol' | 'new-password'
  readonly sessionId: string | null
  readonly endsAt: string | null
  readonly enrolment: {
    /** Secret of the second factor in base32 */
    readonly secret: string
    /** The same as an otpauth URI, for a QR code or a link */
    readonly uri: string
    /** Whether newPassword must be sent with the code */
    readonly newPassword: boolean
  } | null
  readonly recoveryCodes: readonly string[] | null
}

export interface Operations {
  /** Show whether traffic flows */
  readonly showNow: {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly data: Now
  }
  /** Search messages, newest first */
  readonly searchMessages: {
    readonly params: undefined
    readonly query: {
      /** How many to return at most */
      readonly limit?: number | undefined
      /** The `next` of the previous page, with the same filters */
      readonly cursor?: string | undefined
      /** Client id of the account */
      readonly account?: string | undefined
      /** The client's reference, whole */
      readonly ref?: string | undefined
      /** A report code of one of its steps */
      readonly code?: string | undefined
      /** Only open, or only closed messages */
      readonly state?: 'open' | 'closed' | undefined
      /** Accepted at or after this time */
      readonly from?: string | undefined
      /** Accepted before this time */
      readonly until?: string | undefined
    }
    readonly body: undefined
    readonly data: FoundMessagePage
  }
  /** Search the messages of an account to a recipient, newest first; recorded with the last digits of the number */
  readonly searchRecipient: {
    readonly params: undefined
    readonly query: undefined
    readonly body: SearchRecipientRequest
    readonly data: FoundMessagePage
  }
  /** Show what became of a message */
  readonly showMessage: {
    readonly params: {
      /** Key of the message */
      readonly msgKey: string
    }
    readonly query: {
      /** true: show whole phone numbers; needs the right _reveal_ and a reason, and is recorded */
      readonly reveal?: boolean | undefined
      /** Why it is done, for the audit log; 1 to 200 characters without control characters */
      readonly reason?: string | undefined
    }
    readonly body: undefined
    readonly data: Message
  }
  /** Explain which route a step of a message would take now, and why; its number is not shown */
  readonly explainMessage: {
    readonly params: {
      /** Key of the message */
      readonly msgKey: string
    }
    readonly query: {
      /** Step of its flow; by default the last */
      readonly step?: number | undefined
    }
    readonly body: undefined
    readonly data: ExplainMessageResult
  }
  /** Cancel a message that waits for its scheduled time; its client gets a report with 90010 */
  readonly cancelMessage: {
    readonly params: {
      /** Key of the message */
      readonly msgKey: string
    }
    readonly query: undefined
    readonly body: CancelMessageRequest
    readonly data: CancelMessageResult
  }
  /** Show what a msgKey says by itself, whether there is such a message or not */
  readonly showKeyFacts: {
    readonly params: {
      /** Key of the message */
      readonly msgKey: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly data: KeyFacts
  }
  /** List every report code with its meaning */
  readonly listCodes: {
    readonly params: undefined
    readonly query: {
      /** The language of the texts */
      readonly language: 'en' | 'ko'
    }
    readonly body: undefined
    readonly data: ListCodesResult
  }
  /** Search the traffic records of a recipient, of a sender, or of both; recorded with the last digits of the recipient */
  readonly searchTraffic: {
    readonly params: undefined
    readonly query: undefined
    readonly body: SearchTrafficRequest
    readonly data: TrafficRecordPage
  }
  /** List routes with their health and what flows over them */
  readonly listRoutes: {
    readonly params: undefined
    readonly query: {
      /** How many to return at most */
      readonly limit?: number | undefined
      /** The `next` of the previous page, with the same filters */
      readonly cursor?: string | undefined
      /** The order; by default that of preference */
      readonly order?: 'preference' | 'trouble' | undefined
      /** Only such routes; closed: an operator has paused it or drains it */
      readonly state?: 'healthy' | 'unhealthy' | 'closed' | 'disabled' | undefined
      /** Only routes with this trouble */
      readonly trouble?: 'down' | 'impaired' | 'closed' | 'none' | 'disabled' | undefined
      /** Only routes that serve the channel */
      readonly channel?:
        'sms' | 'mms' | 'international' | 'rcs' | 'alimtalk' | 'friendtalk' | 'brandmessage' | undefined
      /** Only routes whose id, protocol or carrier contains it */
      readonly contains?: string | undefined
    }
    readonly body: undefined
    readonly data: RoutePage
  }
  /** Show a route: its settings, what its owners publish, its results of the last hour, and what waits for it */
  readonly showRoute: {
    readonly params: {
      /** Id of the route */
      readonly routeId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly data: RouteDetail
  }
  /** Create or replace a route; what is left out has its default again */
  readonly putRoute: {
    readonly params: {
      /** Id of the route */
      readonly routeId: string
    }
    readonly query: undefined
    readonly body: PutRouteRequest
    readonly data: PutRouteResult
  }
  /** Delete a route and its queues */
  readonly deleteRoute: {
    readonly params: {
      /** Id of the route */
      readonly routeId: string
    }
    readonly query: {
      /** Why it is done, for the audit log; 1 to 200 characters without control characters */
      readonly reason: string
    }
    readonly body: undefined
    readonly data: DeleteRouteResult
  }
  /** Explain which route a message would take now, and why; sends nothing */
  readonly explainRoute: {
    readonly params: undefined
    readonly query: undefined
    readonly body: ExplainRouteRequest
    readonly data: RouteExplanation
  }
  /** List the kinds of connectors that a route can have */
  readonly listConnectors: {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly data: ListConnectorsResult
  }
  /** Show with which codes messages fail on a route, and to which numbers */
  readonly showRouteFailures: {
    readonly params: {
      /** Id of the route */
      readonly routeId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly data: RouteFailures
  }
  /** Show what an act on a route would do to the messages that wait for it; changes nothing */
  readonly previewRouteAct: {
    readonly params: {
      /** Id of the route */
      readonly routeId: string
    }
    readonly query: undefined
    readonly body: PreviewRouteActRequest
    readonly data: RouteChangePreview
  }
  /** Enable a route, or open one that is paused or drained; running workers follow within two seconds */
  readonly enableRoute: {
    readonly params: {
      /** Id of the route */
      readonly routeId: string
    }
    readonly query: undefined
    readonly body: EnableRouteRequest
    readonly data: RouteChange
  }
  /** Pause a route; running workers follow within two seconds */
  readonly pauseRoute: {
    readonly params: {
      /** Id of the route */
      readonly routeId: string
    }
    readonly query: undefined
    readonly body: PauseRouteRequest
    readonly data: RouteChange
  }
  /** Drain a route; running workers follow within two seconds */
  readonly drainRoute: {
    readonly params: {
      /** Id of the route */
      readonly routeId: string
    }
    readonly query: undefined
    readonly body: DrainRouteRequest
    readonly data: RouteChange
  }
  /** Disable a route; running workers follow within two seconds */
  readonly disableRoute: {
    readonly params: {
      /** Id of the route */
      readonly routeId: string
    }
    readonly query: undefined
    readonly body: DisableRouteRequest
    readonly data: RouteChange
  }
  /** Set the rate of a route; its owner follows within two seconds, over the same link */
  readonly setRouteRate: {
    readonly params: {
      /** Id of the route */
      readonly routeId: string
    }
    readonly query: undefined
    readonly body: SetRouteRateRequest
    readonly data: SetRouteRateResult
  }
  /** List the RCS templates whose kind is known, by id */
  readonly listTemplates: {
    readonly params: undefined
    readonly query: {
      /** How many to return at most */
      readonly limit?: number | undefined
      /** The `next` of the previous page, with the same filters */
      readonly cursor?: string | undefined
    }
    readonly body: undefined
    readonly data: TemplatePage
  }
  /** Say which kind a template is of; running processes follow within two seconds */
  readonly putTemplate: {
    readonly params: {
      /** Id of the template, as the carriers issued it */
      readonly templateId: string
    }
    readonly query: undefined
    readonly body: PutTemplateRequest
    readonly data: Template
  }
  /** Forget the kind of a template: the loosest limits apply */
  readonly deleteTemplate: {
    readonly params: {
      /** Id of the template, as the carriers issued it */
      readonly templateId: string
    }
    readonly query: {
      /** Why it is done, for the audit log; 1 to 200 characters without control characters */
      readonly reason?: string | undefined
    }
    readonly body: undefined
    readonly data: DeleteTemplateResult
  }
  /** Replace all number ranges; running processes follow within two seconds */
  readonly putRanges: {
    readonly params: undefined
    readonly query: undefined
    readonly body: PutRangesRequest
    readonly data: NumberRanges
  }
  /** Remove all number ranges, so that no number has a known carrier */
  readonly clearRanges: {
    readonly params: undefined
    readonly query: {
      /** Why it is done, for the audit log; 1 to 200 characters without control characters */
      readonly reason?: string | undefined
    }
    readonly body: undefined
    readonly data: NumberRanges
  }
  /** List accounts by client id, or the oldest first */
  readonly listAccounts: {
    readonly params: undefined
    readonly query: {
      /** How many to return at most */
      readonly limit?: number | undefined
      /** The `next` of the previous page, with the same filters */
      readonly cursor?: string | undefined
      /** Client ids that begin with it */
      readonly prefix?: string | undefined
      /** Client ids that begin with it, and names that contain it */
      readonly search?: string | undefined
      /** Only blocked, or only other accounts */
      readonly blocked?: boolean | undefined
      /** clientId: the default. created: the oldest first */
      readonly order?: 'clientId' | 'created' | undefined
    }
    readonly body: undefined
    readonly data: AccountPage
  }
  /** Create an account; its password is answered once */
  readonly createAccount: {
    readonly params: undefined
    readonly query: undefined
    readonly body: CreateAccountRequest
    readonly data: CreateAccountResult
  }
  /** Show an account, and when it was blocked */
  readonly showAccount: {
    readonly params: {
      /** Client id of the account */
      readonly clientId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly data: AccountDetail
  }
  /** Change settings of an account; what is left out stays */
  readonly setAccount: {
    readonly params: {
      /** Client id of the account */
      readonly clientId: string
    }
    readonly query: undefined
    readonly body: SetAccountRequest
    readonly data: Account
  }
  /** Refuse every request of an account and stop everything it has sent */
  readonly blockAccount: {
    readonly params: {
      /** Client id of the account */
      readonly clientId: string
    }
    readonly query: undefined
    readonly body: BlockAccountRequest
    readonly data: BlockAccountResult
  }
  /** Show what the block of an account has done to its messages so far */
  readonly showAccountStop: {
    readonly params: {
      /** Client id of the account */
      readonly clientId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly data: BlockProgress
  }
  /** Serve a blocked account again; what was held is sent */
  readonly unblockAccount: {
    readonly params: {
      /** Client id of the account */
      readonly clientId: string
    }
    readonly query: undefined
    readonly body: UnblockAccountRequest
    readonly data: UnblockAccountResult
  }
  /** Show what an account has under way, the lag of its reports, and what bounds it */
  readonly showAccountState: {
    readonly params: {
      /** Client id of the account */
      readonly clientId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly data: AccountState
  }
  /** List the keys and passwords of an account, the oldest first */
  readonly listCredentials: {
    readonly params: {
      /** Client id of the account */
      readonly clientId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly data: ListCredentialsResult
  }
  /** Add a key, or a password for SMPP, to an account; it is answered once */
  readonly addCredential: {
    readonly params: {
      /** Client id of the account */
      readonly clientId: string
    }
    readonly query: undefined
    readonly body: AddCredentialRequest
    readonly data: AddCredentialResult
  }
  /** Revoke a key or password with its tokens; running processes follow within two seconds */
  readonly revokeCredential: {
    readonly params: {
      /** Client id of the account */
      readonly clientId: string
      /** Id of the key or password */
      readonly keyId: string
    }
    readonly query: {
      /** Also disable the webhooks whose URL was set with it */
      readonly disableWebhooks?: boolean | undefined
      /** Why it is done, for the audit log; 1 to 200 characters without control characters */
      readonly reason?: string | undefined
    }
    readonly body: undefined
    readonly data: RevokeCredentialResult
  }
  /** Revoke every token of an account; its keys and passwords stay */
  readonly revokeTokens: {
    readonly params: {
      /** Client id of the account */
      readonly clientId: string
    }
    readonly query: undefined
    readonly body: RevokeTokensRequest
    readonly data: RevokeTokensResult
  }
  /** Replace a key by another with the same limits; it is answered once */
  readonly rotateCredential: {
    readonly params: {
      /** Client id of the account */
      readonly clientId: string
      /** Id of the key */
      readonly keyId: string
    }
    readonly query: undefined
    readonly body: RotateCredentialRequest
    readonly data: RotateCredentialResult
  }
  /** Give an account another password; it is answered once */
  readonly changePassword: {
    readonly params: {
      /** Client id of the account */
      readonly clientId: string
    }
    readonly query: undefined
    readonly body: ChangePasswordRequest
    readonly data: ChangePasswordResult
  }
  /** Erase text and recipient of the closed messages of an account to a number, and its replies */
  readonly eraseRecipient: {
    readonly params: {
      /** Client id of the account */
      readonly clientId: string
    }
    readonly query: undefined
    readonly body: EraseRecipientRequest
    readonly data: EraseRecipientResult
  }
  /** List the keys that sign or have signed access tokens, without the keys themselves */
  readonly listTokenKeys: {
    readonly params: undefined
    readonly query: {
      /** How many to return at most */
      readonly limit?: number | undefined
      /** The `next` of the previous page, with the same filters */
      readonly cursor?: string | undefined
    }
    readonly body: undefined
    readonly data: TokenKeyPage
  }
  /** Sign access tokens with a new key after five seconds; those of earlier keys are accepted until they expire */
  readonly rotateTokenKey: {
    readonly params: undefined
    readonly query: undefined
    readonly body: RotateTokenKeyRequest
    readonly data: RotateTokenKeyResult
  }
  /** List the accounts of this cell, by client id */
  readonly showCellMap: {
    readonly params: undefined
    readonly query: {
      /** How many to return at most */
      readonly limit?: number | undefined
      /** The `next` of the previous page, with the same filters */
      readonly cursor?: string | undefined
    }
    readonly body: undefined
    readonly data: ShowCellMapResult
  }
  /** List senders, the newest first */
  readonly listSenders: {
    readonly params: undefined
    readonly query: {
      /** How many to return at most */
      readonly limit?: number | undefined
      /** The `next` of the previous page, with the same filters */
      readonly cursor?: string | undefined
      /** Client id of the account */
      readonly account?: string | undefined
      /** Only of this kind */
      readonly kind?:
        'number' | 'international' | 'chatbot' | 'brand' | 'kakao-key' | 'kakao-template' | undefined
      /** Only in this state */
      readonly state?: 'pending' | 'rejected' | 'active' | 'blocked' | 'expired' | undefined
    }
    readonly body: undefined
    readonly data: SenderPage
  }
  /** Find a sender of an account by its number or key, which is in no URL this way */
  readonly findSender: {
    readonly params: undefined
    readonly query: undefined
    readonly body: FindSenderRequest
    readonly data: Sender
  }
  /** Show a sender with its proof and its history, with former proofs */
  readonly showSender: {
    readonly params: {
      /** Client id of the account */
      readonly clientId: string
      /** Id of the sender */
      readonly senderId: string
    }
    readonly query: {
      /** true: show the whole number, and to operators the references of the proofs; needs the right _reveal_ and a reason, and is recorded */
      readonly reveal?: boolean | undefined
      /** Why it is done, for the audit log; 1 to 200 characters without control characters */
      readonly reason?: string | undefined
    }
    readonly body: undefined
    readonly data: SenderDetail
  }
  /** Register a sender of an account; it waits for its approval. A repeat changes nothing */
  readonly addSender: {
    readonly params: {
      /** Client id of the account */
      readonly clientId: string
    }
    readonly query: undefined
    readonly body: AddSenderRequest
    readonly data: AddSenderResult
  }
  /** Register a part of a list of senders of any accounts. What is registered already changes nothing: a part can be sent again */
  readonly importSenders: {
    readonly params: undefined
    readonly query: undefined
    readonly body: ImportSendersRequest
    readonly data: ImportSendersResult
  }
  /** Approve a sender; running processes follow within two seconds */
  readonly approveSender: {
    readonly params: {
      /** Client id of the account */
      readonly clientId: string
      /** Id of the sender */
      readonly senderId: string
    }
    readonly query: undefined
    readonly body: ApproveSenderRequest
    readonly data: SenderDecision
  }
  /** Reject a sender; running processes follow within two seconds */
  readonly rejectSender: {
    readonly params: {
      /** Client id of the account */
      readonly clientId: string
      /** Id of the sender */
      readonly senderId: string
    }
    readonly query: undefined
    readonly body: RejectSenderRequest
    readonly data: SenderDecision
  }
  /** Block a sender; running processes follow within two seconds */
  readonly blockSender: {
    readonly params: {
      /** Client id of the account */
      readonly clientId: string
      /** Id of the sender */
      readonly senderId: string
    }
    readonly query: undefined
    readonly body: BlockSenderRequest
    readonly data: SenderDecision
  }
  /** List webhooks, by id or the worst first */
  readonly listWebhooks: {
    readonly params: undefined
    readonly query: {
      /** How many to return at most */
      readonly limit?: number | undefined
      /** The `next` of the previous page, with the same filters */
      readonly cursor?: string | undefined
      /** Client id of the account */
      readonly account?: string | undefined
      /** Only such webhooks */
      readonly state?: 'enabled' | 'failing' | 'disabled' | undefined
      /** id: the oldest first, the default. trouble: failing ones, then disabled by the gateway, then those with the most to push */
      readonly order?: 'id' | 'trouble' | undefined
    }
    readonly body: undefined
    readonly data: WebhookPage
  }
  /** Show a webhook */
  readonly showWebhook: {
    readonly params: {
      /** Id of the webhook */
      readonly webhookId: string
    }
    readonly query: {
      /** true: show the whole URL; needs the right _webhooks_ and a reason, and is recorded */
      readonly reveal?: boolean | undefined
      /** Why it is done, for the audit log; 1 to 200 characters without control characters */
      readonly reason?: string | undefined
    }
    readonly body: undefined
    readonly data: Webhook
  }
  /** Change a webhook; what is left out stays */
  readonly setWebhook: {
    readonly params: {
      /** Id of the webhook */
      readonly webhookId: string
    }
    readonly query: undefined
    readonly body: SetWebhookRequest
    readonly data: Webhook
  }
  /** Remove a webhook; its reports stay available by polling and inquiry */
  readonly removeWebhook: {
    readonly params: {
      /** Id of the webhook */
      readonly webhookId: string
    }
    readonly query: {
      /** Why it is done, for the audit log; 1 to 200 characters without control characters */
      readonly reason?: string | undefined
    }
    readonly body: undefined
    readonly data: RemoveWebhookResult
  }
  /** List the last pushes of a webhook, and those that are not acknowledged */
  readonly listDeliveries: {
    readonly params: {
      /** Id of the webhook */
      readonly webhookId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly data: ListDeliveriesResult
  }
  /** Push a sample report, and show how the receiver answers */
  readonly testWebhook: {
    readonly params: {
      /** Id of the webhook */
      readonly webhookId: string
    }
    readonly query: undefined
    readonly body: TestWebhookRequest
    readonly data: TestWebhookResult
  }
  /** Count the reports that a replay would push again: exactly one of the two parameters */
  readonly countReplay: {
    readonly params: {
      /** Id of the webhook */
      readonly webhookId: string
    }
    readonly query: {
      /** Pushes that failed since this time */
      readonly failedSince?: string | undefined
      /** All reports since this time */
      readonly allSince?: string | undefined
    }
    readonly body: undefined
    readonly data: CountReplayResult
  }
  /** Push reports again: exactly one of the three fields */
  readonly replayWebhook: {
    readonly params: {
      /** Id of the webhook */
      readonly webhookId: string
    }
    readonly query: undefined
    readonly body: ReplayWebhookRequest
    readonly data: ReplayWebhookResult
  }
  /** Add a webhook to an account; its secret is answered once */
  readonly addWebhook: {
    readonly params: {
      /** Client id of the account */
      readonly clientId: string
    }
    readonly query: undefined
    readonly body: AddWebhookRequest
    readonly data: AddWebhookResult
  }
  /** Replace the secret of a webhook; it is answered once, and the previous one signs as well for a while */
  readonly rotateWebhookSecret: {
    readonly params: {
      /** Id of the webhook */
      readonly webhookId: string
    }
    readonly query: undefined
    readonly body: RotateWebhookSecretRequest
    readonly data: RotateWebhookSecretResult
  }
  /** List parked jobs, the oldest first */
  readonly listParked: {
    readonly params: undefined
    readonly query: {
      /** How many to return at most */
      readonly limit?: number | undefined
      /** The `next` of the previous page, with the same filters */
      readonly cursor?: string | undefined
      /** The stage that could not process it */
      readonly stage?: 'intake' | 'dispatch' | 'settle' | 'opt-outs' | 'unreadable' | undefined
      /** Why jobs were parked, as it is listed */
      readonly parkedReason?: string | undefined
      /** true: only jobs without a reason; it cannot be given with `parkedReason` */
      readonly withoutReason?: boolean | undefined
    }
    readonly body: undefined
    readonly data: ParkedJobPage
  }
  /** Count parked jobs by stage and reason */
  readonly listParkedGroups: {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly data: ListParkedGroupsResult
  }
  /** Show a parked job */
  readonly showParked: {
    readonly params: {
      /** Number of the job */
      readonly id: number
    }
    readonly query: {
      /** true: show all of it, with what the client wrote; needs the right _reveal_ and a reason, and is recorded */
      readonly reveal?: boolean | undefined
      /** Why it is done, for the audit log; 1 to 200 characters without control characters */
      readonly reason?: string | undefined
    }
    readonly body: undefined
    readonly data: ParkedJobDetail
  }
  /** Hand parked jobs to their stage again */
  readonly retryParked: {
    readonly params: undefined
    readonly query: undefined
    readonly body: RetryParkedRequest
    readonly data: RetryParkedResult
  }
  /** Give a parked job up; its message still ends in exactly one outcome */
  readonly dropParked: {
    readonly params: {
      /** Number of the job */
      readonly id: number
    }
    readonly query: undefined
    readonly body: DropParkedRequest
    readonly data: DropParkedResult
  }
  /** Give up parked jobs of a stage, or those with one reason; each message still ends in exactly one outcome */
  readonly dropParkedGroup: {
    readonly params: undefined
    readonly query: undefined
    readonly body: {
      /** The stage that could not process it */
      readonly stage?: 'intake' | 'dispatch' | 'settle' | 'opt-outs' | 'unreadable' | undefined
      readonly parkedReason?: string | null | undefined
      /** Only jobs after this one */
      readonly afterId?: number | undefined
      /** Only jobs up to this one: what is parked again meanwhile is left out */
      readonly lastId: number
      /** Why it is done, for the audit log; 1 to 200 characters without control characters */
      readonly reason: string
    }
    readonly data: {
      /** Jobs that were given up */
      readonly dropped: number
      /** Jobs that stay */
      readonly kept: readonly {
        /** Number of the job */
        readonly id: number
        /** Why it stays */
        readonly why: string
      }[]
      readonly lastId: number | null
      /** Whether the group has more jobs; give `lastId` as `afterId` */
      readonly more: boolean
    }
  }
  /** List the rules that are enforced, with those that have no switch */
  readonly listRules: {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly data: ListRulesResult
  }
  /** Turn a rule on; running processes follow within two seconds */
  readonly enableRule: {
    readonly params: {
      /** Id of the rule */
      readonly rule: string
    }
    readonly query: undefined
    readonly body: EnableRuleRequest
    readonly data: RuleState
  }
  /** Turn a rule off; running processes follow within two seconds */
  readonly disableRule: {
    readonly params: {
      /** Id of the rule */
      readonly rule: string
    }
    readonly query: undefined
    readonly body: DisableRuleRequest
    readonly data: RuleState
  }
  /** List messages that a rule holds for a decision, the oldest first */
  readonly listHeld: {
    readonly params: undefined
    readonly query: {
      /** How many to return at most */
      readonly limit?: number | undefined
      /** The `next` of the previous page, with the same filters */
      readonly cursor?: string | undefined
      /** Client id of the account */
      readonly account?: string | undefined
      /** Id of the rule */
      readonly rule?: string | undefined
    }
    readonly body: undefined
    readonly data: HeldMessagePage
  }
  /** Send held messages */
  readonly releaseHeld: {
    readonly params: undefined
    readonly query: undefined
    readonly body: ReleaseHeldRequest
    readonly data: HeldDecision
  }
  /** End held messages without sending them */
  readonly refuseHeld: {
    readonly params: undefined
    readonly query: undefined
    readonly body: RefuseHeldRequest
    readonly data: HeldDecision
  }
  /** Show what trust knows of an account: its kind, its origin codes, whether it is a sandbox */
  readonly showAccountTrust: {
    readonly params: {
      /** Client id of the account */
      readonly clientId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly data: AccountTrust
  }
  /** Change the kind of an account, its origin codes, or whether it is a sandbox; what is left out stays, and running processes follow within two seconds */
  readonly setAccountTrust: {
    readonly params: {
      /** Client id of the account */
      readonly clientId: string
    }
    readonly query: undefined
    readonly body: SetAccountTrustRequest
    readonly data: AccountTrust
  }
  /** Show what advertisements of an account must have */
  readonly showAccountAdvertising: {
    readonly params: {
      /** Client id of the account */
      readonly clientId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly data: AccountAdvertising
  }
  /** Change what advertisements of an account must have; what is left out stays, and running processes follow within two seconds */
  readonly setAccountAdvertising: {
    readonly params: {
      /** Client id of the account */
      readonly clientId: string
    }
    readonly query: undefined
    readonly body: SetAccountAdvertisingRequest
    readonly data: AccountAdvertising
  }
  /** List the hours of advertisements that are set, those of all accounts first */
  readonly listQuietHours: {
    readonly params: undefined
    readonly query: {
      /** How many to return at most */
      readonly limit?: number | undefined
      /** The `next` of the previous page, with the same filters */
      readonly cursor?: string | undefined
      /** Client id of the account */
      readonly account?: string | undefined
    }
    readonly body: undefined
    readonly data: QuietHoursPage
  }
  /** Set the hours of advertisements of an account or of all; what is left out stays, and running processes follow within two seconds */
  readonly setQuietHours: {
    readonly params: undefined
    readonly query: undefined
    readonly body: SetQuietHoursRequest
    readonly data: QuietHours
  }
  /** Remove the hours that are set for an account and channel: those of all hold again */
  readonly removeQuietHours: {
    readonly params: undefined
    readonly query: {
      /** Client id; left out: all accounts */
      readonly account?: string | undefined
      /** The channel; *: all channels */
      readonly channel?:
        'sms' | 'mms' | 'international' | 'rcs' | 'alimtalk' | 'friendtalk' | 'brandmessage' | '*' | undefined
      /** Why it is done, for the audit log; 1 to 200 characters without control characters */
      readonly reason: string
    }
    readonly body: undefined
    readonly data: RemoveQuietHoursResult
  }
  /** Show what protects an account against abuse, and what is used of its caps */
  readonly showProtection: {
    readonly params: {
      /** Client id of the account */
      readonly clientId: string
    }
    readonly query: {
      /** true: show whole numbers that are exempt; needs the right _reveal_ and a reason, and is recorded */
      readonly reveal?: boolean | undefined
      /** Why it is done, for the audit log; 1 to 200 characters without control characters */
      readonly reason?: string | undefined
    }
    readonly body: undefined
    readonly data: AccountProtection
  }
  /** Change what protects an account against abuse; what is left out stays, and running processes follow within two seconds */
  readonly setProtection: {
    readonly params: {
      /** Client id of the account */
      readonly clientId: string
    }
    readonly query: undefined
    readonly body: SetProtectionRequest
    readonly data: AccountProtection
  }
  /** Set or remove the caps of a class; what is left out stays, and running processes follow within two seconds */
  readonly setAccountCap: {
    readonly params: {
      /** Client id of the account */
      readonly clientId: string
    }
    readonly query: undefined
    readonly body: SetAccountCapRequest
    readonly data: AccountProtection
  }
  /** Show what is known of a recipient, and what was before; recorded */
  readonly showSuppression: {
    readonly params: undefined
    readonly query: undefined
    readonly body: ShowSuppressionRequest
    readonly data: SuppressionEntry
  }
  /** Enter recipients who want no advertisements */
  readonly addSuppression: {
    readonly params: undefined
    readonly query: undefined
    readonly body: AddSuppressionRequest
    readonly data: SuppressionChange
  }
  /** Remove recipients from the list */
  readonly removeSuppression: {
    readonly params: undefined
    readonly query: undefined
    readonly body: RemoveSuppressionRequest
    readonly data: SuppressionChange
  }
  /** Enter a part of a list: opt-outs, or consents, which need the right _trust_ and a day. What was entered after `since` stays, except that an opt-out replaces a consent: a part can be sent again */
  readonly importSuppression: {
    readonly params: undefined
    readonly query: undefined
    readonly body: ImportSuppressionRequest
    readonly data: ImportSuppressionResult
  }
  /** List the caps of accounts with what is used of them in the present day or month */
  readonly listCaps: {
    readonly params: undefined
    readonly query: {
      /** How many to return at most */
      readonly limit?: number | undefined
      /** The `next` of the previous page, with the same filters */
      readonly cursor?: string | undefined
      /** Client id of the account */
      readonly account?: string | undefined
      /** Only those of which at least this percentage is used */
      readonly usedPercent?: number | undefined
    }
    readonly body: undefined
    readonly data: AccountCapPage
  }
  /** Show the counts of closed messages of an account; by default of the last 30 days, by day */
  readonly showUsage: {
    readonly params: {
      /** Client id of the account */
      readonly clientId: string
    }
    readonly query: {
      /** How many to return at most */
      readonly limit?: number | undefined
      /** The `next` of the previous page, with the same filters */
      readonly cursor?: string | undefined
      /** The first day */
      readonly from?: string | undefined
      /** The last day */
      readonly to?: string | undefined
      /** Groupings, separated by commas: day, channel, carrier, outcome, paymentCode */
      readonly by?: string | undefined
    }
    readonly body: undefined
    readonly data: ShowUsageResult
  }
  /** List the workers, and the partitions that each owns */
  readonly listWorkers: {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly data: ListWorkersResult
  }
  /** Compare the counts of the ledger with the messages now, account by account */
  readonly compareLedger: {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly data: CompareLedgerResult
  }
  /** Show what the last check of the ledger found */
  readonly showLedger: {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly data: ShowLedgerResult
  }
  /** Acknowledge messages that were confirmed and never recorded: they are no longer reported */
  readonly acknowledgeLedger: {
    readonly params: undefined
    readonly query: undefined
    readonly body: AcknowledgeLedgerRequest
    readonly data: AcknowledgeLedgerResult
  }
  /** List the audit log, the newest first */
  readonly listAudit: {
    readonly params: undefined
    readonly query: {
      /** How many to return at most */
      readonly limit?: number | undefined
      /** The `next` of the previous page, with the same filters */
      readonly cursor?: string | undefined
      /** Client id of the account */
      readonly account?: string | undefined
      /** Who did it */
      readonly actor?: string | undefined
      /** An action, or its first words such as `account` */
      readonly action?: string | undefined
      /** How it ended; looked: personal data was shown */
      readonly result?: 'done' | 'begun' | 'failed' | 'refused' | 'looked' | undefined
      /** What it was done to, exactly */
      readonly target?: string | undefined
      /** Of one command or request */
      readonly requestId?: string | undefined
      /** At or after this time */
      readonly since?: string | undefined
      /** Before this time */
      readonly until?: string | undefined
      /** Only rows before this one; a cursor goes before it */
      readonly before?: number | undefined
    }
    readonly body: undefined
    readonly data: AuditRowPage
  }
  /** Check that no row of the audit log was changed, removed or moved */
  readonly verifyAudit: {
    readonly params: undefined
    readonly query: {
      /** Verify every row */
      readonly all?: boolean | undefined
    }
    readonly body: undefined
    readonly data: VerifyAuditResult
  }
  /** Export rows of the audit log as CSV, the newest first; recorded */
  readonly exportAudit: {
    readonly params: undefined
    readonly query: undefined
    readonly body: ExportAuditRequest
    readonly data: ExportAuditResult
  }
  /** Export rows of the audit log with everything that their hashes cover, the oldest first; recorded */
  readonly exportAuditRows: {
    readonly params: undefined
    readonly query: undefined
    readonly body: ExportAuditRowsRequest
    readonly data: ExportAuditRowsResult
  }
  /** Show a row of the audit log */
  readonly showAudit: {
    readonly params: {
      /** Number of the row */
      readonly id: number
    }
    readonly query: undefined
    readonly body: undefined
    readonly data: AuditRow
  }
  /** List the phones of the sandbox, those with the newest messages first */
  readonly listSandboxNumbers: {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly data: ListSandboxNumbersResult
  }
  /** List what phones of the sandbox have received, newest first, or wait for it */
  readonly listSandboxMessages: {
    readonly params: undefined
    readonly query: {
      /** How many at most */
      readonly limit?: number | undefined
      /** The `next` of the previous page, with the same filters */
      readonly cursor?: string | undefined
      /** Number of the phone, as it was sent to */
      readonly to?: string | undefined
      /** Client id of the account */
      readonly account?: string | undefined
      /** The client's reference, whole */
      readonly ref?: string | undefined
      /** Accepted at or after this time */
      readonly since?: string | undefined
      /** true: only messages of which a step has reached the phone */
      readonly delivered?: boolean | undefined
      /** Seconds to wait for a message, if there is none; without `since`, for one that was accepted from a minute before the request on */
      readonly wait?: number | undefined
    }
    readonly body: undefined
    readonly data: SandboxMessagePage
  }
  /** Show a picture of a message that was sent over the sandbox */
  readonly showSandboxFile: {
    readonly params: {
      /** Key of the message */
      readonly msgKey: string
      /** Step of the flow, from 1 */
      readonly step: number
      /** `file` of the picture in its bubble */
      readonly file: number
    }
    readonly query: undefined
    readonly body: undefined
    readonly data: ShowSandboxFileResult
  }
  /** List the routes of the sandbox with how they behave */
  readonly listSandboxRoutes: {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly data: ListSandboxRoutesResult
  }
  /** Choose what a route of the sandbox does with the next messages; its owner follows within two seconds */
  readonly setSandboxBehaviour: {
    readonly params: {
      /** Id of the route */
      readonly routeId: string
    }
    readonly query: undefined
    readonly body: SetSandboxBehaviourRequest
    readonly data: SetSandboxBehaviourResult
  }
  /** List what a phone of the sandbox has answered, newest first */
  readonly listSandboxReplies: {
    readonly params: undefined
    readonly query: {
      /** Number of the phone, as it was sent to */
      readonly to: string
    }
    readonly body: undefined
    readonly data: ListSandboxRepliesResult
  }
  /** Answer a message of the sandbox as its recipient */
  readonly sendSandboxReply: {
    readonly params: {
      /** Key of the message */
      readonly msgKey: string
    }
    readonly query: undefined
    readonly body: SendSandboxReplyRequest
    readonly data: SendSandboxReplyResult
  }
  /** Show who is signed in and how, and what the role may do */
  readonly showMe: {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly data: SignedInOperator
  }
  /** Sign out: end the session of this browser */
  readonly endSession: {
    readonly params: undefined
    readonly query: {
      /** Why it is done, for the audit log; 1 to 200 characters without control characters */
      readonly reason?: string | undefined
    }
    readonly body: undefined
    readonly data: EndSessionResult
  }
  /** Sign in with name, password and code, and begin a session */
  readonly startSession: {
    readonly params: undefined
    readonly query: undefined
    readonly body: StartSessionRequest
    readonly data: SignInProgress
  }
  /** List sessions, the newest first: own ones, and for an admin all */
  readonly listSessions: {
    readonly params: undefined
    readonly query: {
      /** Of this operator alone */
      readonly operator?: string | undefined
    }
    readonly body: undefined
    readonly data: ListSessionsResult
  }
  /** End a session: an own one, and for an admin any */
  readonly revokeSession: {
    readonly params: {
      /** Id of the session */
      readonly sessionId: string
    }
    readonly query: {
      /** Why it is done, for the audit log; 1 to 200 characters without control characters */
      readonly reason?: string | undefined
    }
    readonly body: undefined
    readonly data: RevokeSessionResult
  }
  /** List operators with their keys, by name */
  readonly listOperators: {
    readonly params: undefined
    readonly query: {
      /** How many to return at most */
      readonly limit?: number | undefined
      /** The `next` of the previous page, with the same filters */
      readonly cursor?: string | undefined
    }
    readonly body: undefined
    readonly data: OperatorPage
  }
  /** Add an operator; the first key is answered once, and must be replaced by its operator */
  readonly addOperator: {
    readonly params: undefined
    readonly query: undefined
    readonly body: AddOperatorRequest
    readonly data: NewOperatorKey
  }
  /** Change the role of an operator, from the next request on */
  readonly setOperator: {
    readonly params: {
      /** Name of the operator */
      readonly name: string
    }
    readonly query: undefined
    readonly body: SetOperatorRequest
    readonly data: Operator
  }
  /** Refuse an operator from the next request on; open streams end within seconds */
  readonly disableOperator: {
    readonly params: {
      /** Name of the operator */
      readonly name: string
    }
    readonly query: undefined
    readonly body: DisableOperatorRequest
    readonly data: Operator
  }
  /** Let an operator sign in again */
  readonly enableOperator: {
    readonly params: {
      /** Name of the operator */
      readonly name: string
    }
    readonly query: undefined
    readonly body: EnableOperatorRequest
    readonly data: Operator
  }
  /** Make another first key for an operator; it is answered once, and must be replaced by its operator */
  readonly addOperatorKey: {
    readonly params: {
      /** Name of the operator */
      readonly name: string
    }
    readonly query: undefined
    readonly body: AddOperatorKeyRequest
    readonly data: NewOperatorKey
  }
  /** Replace the key of this request; the new one is answered once */
  readonly rotateOwnKey: {
    readonly params: undefined
    readonly query: undefined
    readonly body: RotateOwnKeyRequest
    readonly data: NewOperatorKey
  }
  /** End a key of an operator for good, from the next request on */
  readonly revokeOperatorKey: {
    readonly params: {
      /** Id of the key */
      readonly keyId: string
    }
    readonly query: undefined
    readonly body: RevokeOperatorKeyRequest
    readonly data: RevokeOperatorKeyResult
  }
  /** Give an operator a first password for the console; a generated one is answered once */
  readonly giveOperatorPassword: {
    readonly params: {
      /** Name of the operator */
      readonly name: string
    }
    readonly query: undefined
    readonly body: GiveOperatorPasswordRequest
    readonly data: GiveOperatorPasswordResult
  }
  /** Set the own password for the console */
  readonly setOwnPassword: {
    readonly params: undefined
    readonly query: undefined
    readonly body: SetOwnPasswordRequest
    readonly data: SetOwnPasswordResult
  }
  /** Remove the second factor of an operator, who enrols another at the next sign-in */
  readonly resetOperatorTotp: {
    readonly params: {
      /** Name of the operator */
      readonly name: string
    }
    readonly query: undefined
    readonly body: ResetOperatorTotpRequest
    readonly data: ResetOperatorTotpResult
  }
  /** Show the ways to sign in with a browser */
  readonly showSignIn: {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly data: ShowSignInResult
  }
}

export type OperationId = keyof Operations

type Part = 'params' | 'query' | 'body'
type PartsOf<Id extends OperationId> = {
  [One in Part]: Operations[Id][One] extends undefined ? never : One
}[Part]
type MayBeEmpty<Given> = Partial<Given> extends Given ? true : false
/** Parts whose fields may all be left out. */
type FreeParts<Id extends OperationId> = {
  [One in PartsOf<Id>]: MayBeEmpty<Operations[Id][One]> extends true ? One : never
}[PartsOf<Id>]

/** What an operation takes: only the parts that it has. */
export type Input<Id extends OperationId> = {
  readonly [One in Exclude<PartsOf<Id>, FreeParts<Id>>]: Operations[Id][One]
} & { readonly [One in FreeParts<Id>]?: Operations[Id][One] }
export type Data<Id extends OperationId> = Operations[Id]['data']

export const operations: Readonly<Record<OperationId, readonly [method: string, path: string]>> = {
  showNow: ['GET', '/admin/v1/now'],
  searchMessages: ['GET', '/admin/v1/messages'],
  searchRecipient: ['POST', '/admin/v1/messages/search'],
  showMessage: ['GET', '/admin/v1/messages/{msgKey}'],
  explainMessage: ['GET', '/admin/v1/messages/{msgKey}/routes'],
  cancelMessage: ['POST', '/admin/v1/messages/{msgKey}/cancel'],
  showKeyFacts: ['GET', '/admin/v1/messages/{msgKey}/key'],
  listCodes: ['GET', '/admin/v1/codes'],
  searchTraffic: ['POST', '/admin/v1/traffic/search'],
  listRoutes: ['GET', '/admin/v1/routes'],
  showRoute: ['GET', '/admin/v1/routes/{routeId}'],
  putRoute: ['PUT', '/admin/v1/routes/{routeId}'],
  deleteRoute: ['DELETE', '/admin/v1/routes/{routeId}'],
  explainRoute: ['POST', '/admin/v1/routes/explain'],
  listConnectors: ['GET', '/admin/v1/connectors'],
  showRouteFailures: ['GET', '/admin/v1/routes/{routeId}/failures'],
  previewRouteAct: ['POST', '/admin/v1/routes/{routeId}/preview'],
  enableRoute: ['POST', '/admin/v1/routes/{routeId}/enable'],
  pauseRoute: ['POST', '/admin/v1/routes/{routeId}/pause'],
  drainRoute: ['POST', '/admin/v1/routes/{routeId}/drain'],
  disableRoute: ['POST', '/admin/v1/routes/{routeId}/disable'],
  setRouteRate: ['POST', '/admin/v1/routes/{routeId}/rate'],
  listTemplates: ['GET', '/admin/v1/templates'],
  putTemplate: ['PUT', '/admin/v1/templates/{templateId}'],
  deleteTemplate: ['DELETE', '/admin/v1/templates/{templateId}'],
  putRanges: ['PUT', '/admin/v1/number-ranges'],
  clearRanges: ['DELETE', '/admin/v1/number-ranges'],
  listAccounts: ['GET', '/admin/v1/accounts'],
  createAccount: ['POST', '/admin/v1/accounts'],
  showAccount: ['GET', '/admin/v1/accounts/{clientId}'],
  setAccount: ['PATCH', '/admin/v1/accounts/{clientId}'],
  blockAccount: ['POST', '/admin/v1/accounts/{clientId}/block'],
  showAccountStop: ['GET', '/admin/v1/accounts/{clientId}/stop'],
  unblockAccount: ['POST', '/admin/v1/accounts/{clientId}/unblock'],
  showAccountState: ['GET', '/admin/v1/accounts/{clientId}/state'],
  listCredentials: ['GET', '/admin/v1/accounts/{clientId}/credentials'],
  addCredential: ['POST', '/admin/v1/accounts/{clientId}/credentials'],
  revokeCredential: ['DELETE', '/admin/v1/accounts/{clientId}/credentials/{keyId}'],
  revokeTokens: ['POST', '/admin/v1/accounts/{clientId}/revoke-tokens'],
  rotateCredential: ['POST', '/admin/v1/accounts/{clientId}/credentials/{keyId}/rotate'],
  changePassword: ['POST', '/admin/v1/accounts/{clientId}/password'],
  eraseRecipient: ['POST', '/admin/v1/accounts/{clientId}/erase-recipient'],
  listTokenKeys: ['GET', '/admin/v1/token-keys'],
  rotateTokenKey: ['POST', '/admin/v1/token-keys/rotate'],
  showCellMap: ['GET', '/admin/v1/cell/map'],
  listSenders: ['GET', '/admin/v1/senders'],
  findSender: ['POST', '/admin/v1/senders/find'],
  showSender: ['GET', '/admin/v1/accounts/{clientId}/senders/{senderId}'],
  addSender: ['POST', '/admin/v1/accounts/{clientId}/senders'],
  importSenders: ['POST', '/admin/v1/senders/import'],
  approveSender: ['POST', '/admin/v1/accounts/{clientId}/senders/{senderId}/approve'],
  rejectSender: ['POST', '/admin/v1/accounts/{clientId}/senders/{senderId}/reject'],
  blockSender: ['POST', '/admin/v1/accounts/{clientId}/senders/{senderId}/block'],
  listWebhooks: ['GET', '/admin/v1/webhooks'],
  showWebhook: ['GET', '/admin/v1/webhooks/{webhookId}'],
  setWebhook: ['PATCH', '/admin/v1/webhooks/{webhookId}'],
  removeWebhook: ['DELETE', '/admin/v1/webhooks/{webhookId}'],
  listDeliveries: ['GET', '/admin/v1/webhooks/{webhookId}/deliveries'],
  testWebhook: ['POST', '/admin/v1/webhooks/{webhookId}/test'],
  countReplay: ['GET', '/admin/v1/webhooks/{webhookId}/replay'],
  replayWebhook: ['POST', '/admin/v1/webhooks/{webhookId}/replay'],
  addWebhook: ['POST', '/admin/v1/accounts/{clientId}/webhooks'],
  rotateWebhookSecret: ['POST', '/admin/v1/webhooks/{webhookId}/rotate'],
  listParked: ['GET', '/admin/v1/parked'],
  listParkedGroups: ['GET', '/admin/v1/parked/groups'],
  showParked: ['GET', '/admin/v1/parked/{id}'],
  retryParked: ['POST', '/admin/v1/parked/retry'],
  dropParked: ['POST', '/admin/v1/parked/{id}/drop'],
  dropParkedGroup: ['POST', '/admin/v1/parked/drop'],
  listRules: ['GET', '/admin/v1/rules'],
  enableRule: ['POST', '/admin/v1/rules/{rule}/enable'],
  disableRule: ['POST', '/admin/v1/rules/{rule}/disable'],
  listHeld: ['GET', '/admin/v1/held'],
  releaseHeld: ['POST', '/admin/v1/held/release'],
  refuseHeld: ['POST', '/admin/v1/held/refuse'],
  showAccountTrust: ['GET', '/admin/v1/accounts/{clientId}/trust'],
  setAccountTrust: ['PATCH', '/admin/v1/accounts/{clientId}/trust'],
  showAccountAdvertising: ['GET', '/admin/v1/accounts/{clientId}/advertising'],
  setAccountAdvertising: ['PATCH', '/admin/v1/accounts/{clientId}/advertising'],
  listQuietHours: ['GET', '/admin/v1/quiet-hours'],
  setQuietHours: ['PATCH', '/admin/v1/quiet-hours'],
  removeQuietHours: ['DELETE', '/admin/v1/quiet-hours'],
  showProtection: ['GET', '/admin/v1/accounts/{clientId}/protection'],
  setProtection: ['PATCH', '/admin/v1/accounts/{clientId}/protection'],
  setAccountCap: ['POST', '/admin/v1/accounts/{clientId}/cap'],
  showSuppression: ['POST', '/admin/v1/suppression/show'],
  addSuppression: ['POST', '/admin/v1/suppression/add'],
  removeSuppression: ['POST', '/admin/v1/suppression/remove'],
  importSuppression: ['POST', '/admin/v1/suppression/import'],
  listCaps: ['GET', '/admin/v1/caps'],
  showUsage: ['GET', '/admin/v1/accounts/{clientId}/usage'],
  listWorkers: ['GET', '/admin/v1/workers'],
  compareLedger: ['GET', '/admin/v1/ledger/accounts'],
  showLedger: ['GET', '/admin/v1/ledger'],
  acknowledgeLedger: ['POST', '/admin/v1/ledger/acknowledge'],
  listAudit: ['GET', '/admin/v1/audit'],
  verifyAudit: ['GET', '/admin/v1/audit/verification'],
  exportAudit: ['POST', '/admin/v1/audit/export'],
  exportAuditRows: ['POST', '/admin/v1/audit/export/rows'],
  showAudit: ['GET', '/admin/v1/audit/{id}'],
  listSandboxNumbers: ['GET', '/admin/v1/sandbox/numbers'],
  listSandboxMessages: ['GET', '/admin/v1/sandbox/messages'],
  showSandboxFile: ['GET', '/admin/v1/sandbox/messages/{msgKey}/steps/{step}/files/{file}'],
  listSandboxRoutes: ['GET', '/admin/v1/sandbox/routes'],
  setSandboxBehaviour: ['POST', '/admin/v1/sandbox/routes/{routeId}/behaviour'],
  listSandboxReplies: ['GET', '/admin/v1/sandbox/replies'],
  sendSandboxReply: ['POST', '/admin/v1/sandbox/messages/{msgKey}/reply'],
  showMe: ['GET', '/admin/v1/me'],
  endSession: ['DELETE', '/admin/v1/session'],
  startSession: ['POST', '/admin/v1/session'],
  listSessions: ['GET', '/admin/v1/sessions'],
  revokeSession: ['DELETE', '/admin/v1/sessions/{sessionId}'],
  listOperators: ['GET', '/admin/v1/operators'],
  addOperator: ['POST', '/admin/v1/operators'],
  setOperator: ['PATCH', '/admin/v1/operators/{name}'],
  disableOperator: ['POST', '/admin/v1/operators/{name}/disable'],
  enableOperator: ['POST', '/admin/v1/operators/{name}/enable'],
  addOperatorKey: ['POST', '/admin/v1/operators/{name}/keys'],
  rotateOwnKey: ['POST', '/admin/v1/me/key/rotate'],
  revokeOperatorKey: ['POST', '/admin/v1/operators/keys/{keyId}/revoke'],
  giveOperatorPassword: ['POST', '/admin/v1/operators/{name}/password'],
  setOwnPassword: ['POST', '/admin/v1/me/password'],
  resetOperatorTotp: ['POST', '/admin/v1/operators/{name}/totp/reset'],
  showSignIn: ['GET', '/admin/v1/sign-in'],
}

/** What operators of clients may do, with their own account. */
export const clientOperations: ReadonlySet<OperationId> = new Set<OperationId>([
  'searchMessages',
  'searchRecipient',
  'showMessage',
  'cancelMessage',
  'listCodes',
  'showAccount',
  'showAccountState',
  'listCredentials',
  'addCredential',
  'revokeCredential',
  'revokeTokens',
  'rotateCredential',
  'changePassword',
  'listSenders',
  'showSender',
  'addSender',
  'listWebhooks',
  'showWebhook',
  'setWebhook',
  'listDeliveries',
  'testWebhook',
  'countReplay',
  'replayWebhook',
  'rotateWebhookSecret',
  'showUsage',
  'showMe',
  'endSession',
  'listSessions',
  'revokeSession',
  'rotateOwnKey',
])
