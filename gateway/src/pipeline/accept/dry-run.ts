/**
 * Implements `?dryRun=true`: applies the checks of a send except admission, and returns the result for each destination with
 * its problems. Nothing is published or stored, and no msgKey is assigned.
 */
import type { FastifyReply } from 'fastify'
import type { Static } from 'typebox'
import type { Account } from '../../identity/accounts/account.ts'
import type { ChannelName, Draft, Step } from '../../channels/channel.ts'
import { Issues } from '../../channels/issues.ts'
import { channels } from '../../channels/registry.ts'
import { acceptanceHeader } from '../../contract/acceptance.ts'
import { FieldProblem, Problem } from '../../contract/problem.ts'
import { resultCodes, type ResultCode } from '../../contract/result-codes.ts'
import type { FormLookup } from '../../records/forms/lookup.ts'
import { isDatabaseUnavailable } from '../../platform/database/database.ts'
import type { RouteFilter } from '../../carriers/routes/choose.ts'
import { createRouteFor } from '../../carriers/routes/route-for.ts'
import type { RouteTable } from '../../carriers/routes/table.ts'
import type { DraftCounting } from '../../trust/abuse/draft-counting.ts'
import type { RuleEffect } from '../../trust/rule-group.ts'
import { createHold, type CheckSteps } from './check-steps.ts'
import type { FlowStepEntry } from './flow.ts'
import { draftOne, planOmni, readOmni } from './omni.ts'
import type {
  DryRunResponse,
  DryRunDestination,
  DryRunEffect,
  DryRunProblem,
  DryRunStep,
} from './responses.ts'
import { readSimple, simplePath, type SendTimes } from './send.ts'

/**
 * Reports whether a route serves a step, or null while the routes have not been read. Clients learn nothing
 * else about routes, which only operators know.
 */
export type HasRoute = (account: Account, step: Step, to: string) => boolean | null

export function createHasRoute(table: RouteTable, mayUse?: RouteFilter): HasRoute {
  // The current health of a route says little about the time of the send.
  const routeFor = createRouteFor(table, () => ({ usable: true }), mayUse)
  return (account, step, to) => (table.loaded ? routeFor(account, step, to) !== null : null)
}

export interface DryRunOptions {
  readonly checkSteps: CheckSteps
  readonly forms: FormLookup
  readonly hasRoute: HasRoute
  /** Time limit in seconds of steps that do not set one. */
  readonly stepTtlSeconds: number
  readonly previewDraft: DraftCounting['findReachedLimits']
}

type DestinationResult = Static<typeof DryRunDestination>

export function createDryRun(options: DryRunOptions) {
  const { checkSteps, forms, hasRoute, stepTtlSeconds, previewDraft } = options

  async function simple(account: Account, channel: ChannelName, body: unknown, times: SendTimes = {}) {
    const issues = new Issues('all', account)
    const draft = readSimple(channel, body, times, issues)
    if (draft === null) return toResponse(issues, [], [])
    const entries = draft.steps.map((step, index) => ({ at: simplePath(step, index), index }))
    return toResponse(new Issues('all'), [await check(account, draft, entries, issues)], [issues])
  }

  async function omni(account: Account, candidate: unknown, sendAt?: Date) {
    const request = new Issues('all')
    const body = readOmni(candidate, request)
    if (body === null) return toResponse(request, [], [])
    const { messageForm } = body
    const form =
      messageForm === undefined
        ? undefined
        : await keepProblem(request, 'form lookup failed', () => forms.find(account.id, messageForm))
    const plan = planOmni(body, form?.flow, sendAt, request)
    const { smartEncoding } = account
    const checked = plan.destinations.map(() => new Issues('all', { smartEncoding, hidden: request.hidden }))
    const destinations = plan.destinations.map((destination, index) => {
      const draft = draftOne(plan, destination, index, checked[index]!)
      return check(account, draft, plan.entries, checked[index]!)
    })
    return toResponse(request, await Promise.all(destinations), checked)
  }

  /** Checks a draft; `entries` has one entry per step. */
  async function check(
    account: Account,
    draft: Draft,
    entries: readonly Pick<FlowStepEntry, 'at' | 'index'>[],
    issues: Issues,
  ): Promise<DestinationResult> {
    const effects: RuleEffect[] = []
    const checked = { ...draft, effects }
    const { to, steps } = draft
    await keepProblem(issues, 'file lookup failed', () =>
      checkSteps(account.id, checked, (_step, index) => entries[index]!.at, issues),
    )
    await keepProblem(issues, 'reading the caps of the account failed', async () => {
      if (steps.length === 0) return
      for (const problem of await previewDraft(account.id, checked, createHold(checked))) issues.add(problem)
    })
    const { hidden } = issues
    return {
      to,
      ...toResult(issues.first),
      steps: steps.flatMap((step, nth) => {
        const { at, index } = entries[nth]!
        const isHidden = hidden.some((path) => path.startsWith(at))
        return isHidden ? [] : [describeStep(account, to, step, index)]
      }),
      // A message that is not accepted has no effects.
      ruleEffects: issues.first === undefined ? effects.map(describeEffect) : [],
      problems: issues.all.map(describeProblem),
    }
  }

  function describeStep(account: Account, to: string, step: Step, index: number): Static<typeof DryRunStep> {
    const channel = channels[step.channel]
    return {
      step: index + 1,
      channel: step.channel,
      msgType: channel.msgType(step),
      hasRoute: hasRoute(account, step, to),
      ...channel.measure(step),
      parts: channel.parts(step, '').length,
      deadlineSeconds: step.ttlSeconds ?? stepTtlSeconds,
    }
  }

  return { simple, omni }
}

/** Adds a lookup failure, such as an unavailable PostgreSQL, to the issues. */
async function keepProblem<T>(
  issues: Issues,
  failure: string,
  find: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof Problem) issues.add(error)
    else if (isDatabaseUnavailable(error)) {
      issues.add(new Problem('A920', `Service busy: ${failure}; retry`, 1))
    } else throw error
    return undefined
  }
}

function toResponse(
  request: Issues,
  destinations: DestinationResult[],
  checked: readonly Issues[],
): DryRunResponse {
  const lists = [request, ...checked]
  return {
    ...toResult(lists.find(({ first }) => first !== undefined)?.first),
    data: {
      destinations,
      problems: request.all.map(describeProblem),
      omittedProblems: lists.reduce((sum, { omitted }) => sum + omitted, 0),
    },
  }
}

/** Sends the serialized response, because the response schema of the endpoint is that of a send. */
export function sendDryRunResponse(reply: FastifyReply, response: DryRunResponse): FastifyReply {
  const { status } = resultCodes[response.code]
  if (status === 503) reply.header('retry-after', '1')
  if (status !== 200) reply.header(acceptanceHeader, 'no')
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(response))
}

/** Limits a reason, which quotes the value found and may contain the whole body. */
const maxReason = 300

function describeProblem(problem: Problem): Static<typeof DryRunProblem> {
  const { code } = problem
  if (!(problem instanceof FieldProblem)) return { code, field: '', reason: cut(problem.message) }
  return { code, field: cut(problem.field), reason: cut(problem.reason) }
}

function describeEffect({ step, notBefore, ...effect }: RuleEffect): Static<typeof DryRunEffect> {
  return {
    ...effect,
    step: step === null ? null : step + 1,
    notBefore: notBefore === null ? null : new Date(notBefore).toISOString(),
  }
}

function toResult(problem: Problem | undefined): { code: ResultCode; result: string } {
  if (problem === undefined) return { code: 'A000', result: 'Success' }
  return { code: problem.code, result: cut(problem.message) }
}

function cut(text: string): string {
  return text.length <= maxReason ? text : `${text.slice(0, maxReason)}…`
}
