/**
 * `?dryRun=true`: applies the checks of a send up to the publish and returns the outcome for each destination with every
 * problem. Nothing is published or stored, and no msgKey is assigned.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/account.ts'
import type { Channel, Step } from '../../channels/channel.ts'
import { Issues } from '../../channels/issues.ts'
import { channels } from '../../channels/registry.ts'
import type { FormLookup } from '../../forms/lookup.ts'
import { resultCodes } from '../../contract/result-codes.ts'
import { isDatabaseUnavailable } from '../../platform/database.ts'
import { invalidField, Problem } from '../../contract/problem.ts'
import { quote } from '../../contract/quote.ts'
import { describeEffect, describeProblem, resultOf, type DryRunAnswer } from './dry-run-answer.ts'
import type { HasRoute } from './dry-run-route.ts'
import type { CheckSteps } from './check-steps.ts'
import { draftOne, planOmni, readOmni, type OmniRequest } from './omni.ts'
import type { DraftCounting } from '../../trust/policy.ts'
import type { RuleEffect } from '../../trust/rule-group.ts'
import { withTtl, type SendOptions } from './send.ts'
import type { Shape } from './shape.ts'
import { createHold } from './trust.ts'

export interface DryRunOptions {
  readonly checkSteps: CheckSteps
  readonly forms: FormLookup
  readonly hasRoute: HasRoute
  /** Time limit of steps without one of their own. */
  readonly stepTtlSeconds: number
  readonly previewDraft?: DraftCounting['previewDraft']
}

/** A step, the path before its fields, and its place in the flow. */
interface PlacedStep {
  readonly step: Step
  readonly at: string
  readonly index: number
}

type DestinationAnswer = DryRunAnswer['data']['destinations'][number]
type StepAnswer = DestinationAnswer['steps'][number]

export function createDryRun(options: DryRunOptions) {
  const { checkSteps, forms, hasRoute, stepTtlSeconds, previewDraft = () => Promise.resolve([]) } = options
  async function judge(
    account: Account,
    to: string,
    placed: readonly PlacedStep[],
    issues: Issues,
    sendAt: Date | undefined,
  ): Promise<DestinationAnswer> {
    const steps = placed.map(({ step }) => step)
    const effects: RuleEffect[] = []
    const draft = { to, steps, effects, ...(sendAt === undefined ? {} : { sendAt: sendAt.getTime() }) }
    await keepProblem(issues, 'the files cannot be looked up', async () => {
      await checkSteps(account.id, draft, (_step, index) => placed[index]!.at, issues)
    })
    await keepProblem(issues, 'the caps of the account cannot be read', async () => {
      if (steps.length === 0) return
      for (const problem of await previewDraft(account.id, draft, createHold(draft))) issues.add(problem)
    })
    const { hidden } = issues
    return {
      to,
      ...resultOf(issues.first),
      steps: placed
        .filter(({ at }) => !hidden.some((path) => path.startsWith(at)))
        .map((one) => describe(account, to, one)),
      // What is not accepted has no effects.
      ruleEffects: issues.first === undefined ? effects.map(describeEffect) : [],
      problems: issues.all.map(describeProblem),
    }
  }

  function describe(account: Account, to: string, { step, index }: PlacedStep): StepAnswer {
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

  async function simple(
    account: Account,
    channel: Channel,
    shape: Shape,
    body: unknown,
    { sendAt, ttlSeconds }: Pick<SendOptions, 'sendAt' | 'ttlSeconds'> = {},
  ) {
    const issues = new Issues('all')
    const content = shape.check(body, '', issues)
    if (content === null) return toAnswer(issues, [], [])
    const { to, steps } = withTtl(channel.draft(content, issues), ttlSeconds)
    const placed = steps.map((step, index) => ({ step, index, at: index === 0 ? '' : 'fallback.' }))
    return toAnswer(new Issues('all'), [await judge(account, to, placed, issues, sendAt)], [issues])
  }

  async function omni(account: Account, candidate: unknown, sendAt?: Date) {
    const request = new Issues('all')
    const body = readOmni(candidate, request)
    if (body === null) return toAnswer(request, [], [])
    const plan = planOmni(body, await findForm(account, body, request), request)
    const checked: Issues[] = []
    const destinations = plan.destinations.map((destination, index) => {
      const issues = new Issues('all', request.hidden)
      checked.push(issues)
      const { to, steps } = draftOne(plan, destination, index, issues)
      const placed = steps.map((step, entry) => ({ step, ...plan.entries[entry]! }))
      return judge(account, to, placed, issues, sendAt)
    })
    return toAnswer(request, await Promise.all(destinations), checked)
  }

  async function findForm(account: Account, body: OmniRequest, request: Issues): Promise<unknown> {
    const { messageForm } = body
    if (messageForm === undefined) return undefined
    return keepProblem(
      request,
      'the form cannot be looked up',
      async () => (await forms.find(account.id, messageForm)).flow,
    )
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
  destinations: DestinationAnswer[],
  checked: readonly Issues[],
): DryRunAnswer {
  const all = [request, ...checked]
  const first = all.find((issues) => issues.first !== undefined)?.first
  return {
    ...resultOf(first),
    data: {
      destinations,
      problems: request.all.map(describeProblem),
      omittedProblems: all.reduce((sum, { omitted }) => sum + omitted, 0),
    },
  }
}

/** A misspelled value must not send the message. */
export function wantsDryRun(request: FastifyRequest): boolean {
  const { dryRun } = request.query as { readonly dryRun?: unknown }
  if (dryRun === undefined || dryRun === 'false') return false
  if (dryRun === 'true') return true
  throw invalidField('A300', 'dryRun', `must be true or false, found ${quote(dryRun)}`)
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
