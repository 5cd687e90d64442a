/**
 * Reads the body of a registration: `{"messageForm":[{channel:{…}}, …]}`, nothing else. `checkFlow` checks
 * the shape of each channel's content; limits are checked when the form is sent, with its placeholders filled
 * in.
 */
import { invalidField, Problem } from '../../contract/problem.ts'
import { maxFlowEntries, type FormEntry } from './form.ts'

/**
 * Throws a Problem for the first entry whose shape does not match its channel. `at` is the path of the flow.
 */
export type CheckFlow = (flow: unknown, at: string) => void

export function readFormFlow(body: unknown, checkFlow: CheckFlow): readonly FormEntry[] {
  if (!isObject(body)) throw new Problem('A011', 'JSON cannot be mapped: the body must be an object')
  const unknown = Object.keys(body).find((name) => name !== 'messageForm')
  if (unknown !== undefined) throw new Problem('A300', `Wrong request: unknown field '${unknown}'`)
  const flow = body.messageForm
  if (!Array.isArray(flow) || flow.length === 0) {
    throw invalidField('A300', 'messageForm', `must be an array of 1 to ${maxFlowEntries} messages`)
  }
  if (flow.length > maxFlowEntries) {
    throw invalidField(
      'A300',
      'messageForm',
      `must have at most ${maxFlowEntries} messages, found ${flow.length}`,
    )
  }
  const wrong = flow.findIndex((entry) => !isObject(entry))
  if (wrong >= 0) throw invalidField('A300', `messageForm[${wrong}]`, 'must be an object with one channel')
  checkFlow(flow, 'messageForm')
  return flow as FormEntry[]
}

function isObject(candidate: unknown): candidate is Record<string, unknown> {
  return typeof candidate === 'object' && candidate !== null && !Array.isArray(candidate)
}
