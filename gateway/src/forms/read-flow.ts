/**
 * The body of a registration: `{"messageForm":[{channel:{…}}, …]}`, nothing else. What a channel's content may look
 * like is for `checkFlow` to say; limits are checked when the form is sent, with its placeholders filled in.
 */
import { invalidField, Problem } from '../contract/problem.ts'
import { maxFlowEntries, type FormEntry } from './form.ts'

/** Throws a Problem for the first entry whose shape does not fit its channel. `at` is the path of the flow. */
export type CheckFlow = (flow: unknown, at: string) => void

export function readFlow(body: unknown, checkFlow: CheckFlow): readonly FormEntry[] {
  if (!isObject(body)) throw new Problem('A011', 'JSON cannot be mapped: an object is wanted')
  const unknown = Object.keys(body).find((name) => name !== 'messageForm')
  if (unknown !== undefined) throw new Problem('A300', `Wrong request: unknown field '${unknown}'`)
  const flow = body.messageForm
  if (!Array.isArray(flow) || flow.length === 0) {
    throw invalidField('A300', 'messageForm', `an array of 1 to ${maxFlowEntries} messages is wanted`)
  }
  if (flow.length > maxFlowEntries) {
    throw invalidField('A300', 'messageForm', `${flow.length} messages, at most ${maxFlowEntries}`)
  }
  const wrong = flow.findIndex((entry) => !isObject(entry))
  if (wrong >= 0) throw invalidField('A300', `messageForm[${wrong}]`, 'an object with one channel is wanted')
  checkFlow(flow, 'messageForm')
  return flow as FormEntry[]
}

function isObject(candidate: unknown): candidate is Record<string, unknown> {
  return typeof candidate === 'object' && candidate !== null && !Array.isArray(candidate)
}
