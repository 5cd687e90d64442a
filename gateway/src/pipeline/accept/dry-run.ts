/**
 * `?dryRun=true`: applies the checks of a send up to the publish and returns the outcome for each destination with every
 * problem. Nothing is published or stored, and no msgKey is assigned.
 */
import type { FastifyReply } from 'fastify'
import type { Static } from 'typebox'
import type { Account } from '../../accounts/account.ts'
import type { ChannelName, Draft, Step } from '../../channels/channel.ts'
import { Issues } from '../../channels/issues.ts'
import { channels } from '../../channels/registry.ts'
import { FieldProblem, Problem } from '../../contract/problem.ts'
import { resultCodes, type ResultCode } from '../../contract/result-codes.ts'
import type { FormLookup } from '../../forms/lookup.ts'
import { isDatabaseUnavailable } from '../../platform/database.ts'
import type { MayUse } from '../../routes/choose.ts'
import { createRouteFor } from '../../routes/route-for.ts'
import type { RouteTable } from '../../routes/table.ts'
import type { DraftCounting } from '../../trust/abuse/draft-counting.ts'
import type { RuleEffect } from '../../trust/rule-group.ts'
import { createHold, type CheckSteps } from './check-steps.ts'
import type { FlowEntry } from './flow.ts'
import { draftOne, planOmni, readOmni } from './omni.ts'
import type { DryRunAnswer, DryRunDestination, DryRunEffect, DryRunProblem, DryRunStep } from './responses.ts'
import { readSimple, simplePath, type SendTimes } from './send.ts'

/**
 * Reports whether a route serves a step, or null while the routes have not been read. Clients learn no more: which routes there are
 * is known to operators only.
 */
export type HasRoute = (account: Account, step: Step, to: string) => boolean | null

export function createHasRoute(table: RouteTable, mayUse?: MayUse): HasRoute {
  // The present health of a route says little about the time of the send.
  const routeFor = createRouteFor(table, () => ({ usable: true }), mayUse)
  return (account, step, to) => (table.loaded ? routeFor(account, step, to) !== null : null)
}

export interface DryRunOptions {
  readonly checkSteps: CheckSteps
  readonly forms: FormLookup
  readonly hasRoute: HasRoute
  /** Time limit of steps that do not set one. */
  readonly stepTtlSeconds: number
  readonly previewDraft: DraftCounting['previewDraft']
}

type DestinationResult = Static<typeof DryRunDestination>

export function createDryRun(options: DryRunOptions) {
  const { checkSteps, forms, hasRoute, stepTtlSeconds, previewDraft } = options

  async function simple(account: Account, channel: ChannelName, body: unknown, times: SendTimes = {}) {
    const issues = new Issues('all')
    const draft = readSimple(channel, body, times, issues)
    if (draft === null) return toAnswer(issues, [], [])
    const entries = draft.steps.map((step, index) => ({ at: simplePath(step, index), index }))
    return toAnswer(new Issues('all'), [await check(account, draft, entries, issues)], [issues])
  }

  async function omni(account: Account, candidate: unknown, sendAt?: Date) {
    const request = new Issues('all')
    const body = readOmni(candidate, request)
    if (body === null) return toAnswer(request, [], [])
    const { messageForm } = body
    const form =
      messageForm === undefined
        ? undefined
        : await keepProblem(request, 'the form cannot be looked up', () =>
            forms.find(account.id, messageForm),
          )
    const plan = planOmni(body, form?.flow, sendAt, request)
    const checked = plan.destinations.map(() => new Issues('all', request.hidden))
    const destinations = plan.destinations.map((destination, index) => {
      const draft = draftOne(plan, destination, index, checked[index]!)
      return check(account, draft, plan.entries, checked[index]!)
    })
    return toAnswer(request, await Promise.all(destinations), checked)
  }

  /** Each step has an entry. */
  async function check(
    account: Account,
    draft: Draft,
    entries: readonly Pick<FlowEntry, 'at' | 'index'>[],
    issues: Issues,
  ): Promise<DestinationResult> {
    const effects: RuleEffect[] = []
    const checked = { ...draft, effects }
    const { to, steps } = draft
    await keepProblem(issues, 'the files cannot be looked up', () =>
      checkSteps(account.id, checked, (_step, index) => entries[index]!.at, issues),
    )
    await keepProblem(issues, 'the caps of the account cannot be read', async () => {
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

/** A lookup that fails because PostgreSQL is unavailable is a problem like the others. */
async function keepProblem<T>(issues: Issues, what: string, find: () => Promise<T>): Promise<T | undefined> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof Problem) issues.add(error)
    else if (isDatabaseUnavailable(error)) {
      issues.add(new Problem('A920', `Service busy: ${what} now, ask again`, 1))
    } else throw error
    return undefined
  }
}

function toAnswer(
  request: Issues,
  destinations: DestinationResult[],
  checked: readonly Issues[],
): DryRunAnswer {
  const all = [request, ...checked]
  return {
    ...toResult(all.find(({ first }) => first !== undefined)?.first),
    data: {
      destinations,
      problems: request.all.map(describeProblem),
      omittedProblems: all.reduce((sum, { omitted }) => sum + omitted, 0),
    },
  }
}

/** Serialized here: the response schema of the endpoint is that of a send. */
export function answerDryRun(reply: FastifyReply, answer: DryRunAnswer): FastifyReply {
  const { status } = resultCodes[answer.code]
  if (status === 503) reply.header('retry-after', '1')
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(answer))
}

/** A reason quotes the value found, which may be the whole body. */
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
