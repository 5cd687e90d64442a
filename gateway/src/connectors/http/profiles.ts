/** The ready-made profiles of public APIs, `profiles/*.json`. Read and checked when one is used for the first time. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { closed, didYouMean, parseOptions } from '../options.ts'
import { Answer, Auth, ReceiptMap, Send, Verify } from './profile.ts'

const described = (description: string) =>
  Type.Record(Type.String(), Type.String(), { description, default: {} })

const Evidence = Type.Object(
  {
    source: Type.String({ description: 'Address of the page.' }),
    checked: Type.String({ description: 'When it was read.' }),
    answer: Type.Array(Type.String(), { description: 'Codes in `answer.errors`.', default: [] }),
    receipt: Type.Array(Type.String(), { description: 'Codes in `receipt.errors`.', default: [] }),
  },
  closed,
)

/** A ready-made profile: the language, and what an account must give. */
export const Profile = Type.Object(
  {
    title: Type.String({ description: 'Name of the API.' }),
    source: Type.Array(Type.String(), { description: 'Public documentation it was made from.' }),
    checked: Type.String({ description: 'When.' }),
    evidence: Type.Array(Evidence, {
      description: 'Where the meaning of each code in `errors` was read.',
      default: [],
    }),
    unconfirmed: Type.Array(Type.String(), {
      description: 'Codes whose meaning could not be read: they have the general cause.',
      default: [],
    }),
    values: described('Values that an account has, with their meaning.'),
    secrets: described('The same for secrets.'),
    optional: Type.Array(Type.String(), { description: 'Names that may be left out.', default: [] }),
    notes: Type.String({ description: 'What to know about it.', default: '' }),
    auth: Type.Optional(Auth),
    send: Send,
    answer: Answer,
    receipt: Type.Optional(ReceiptMap),
    verify: Type.Optional(Verify),
  },
  closed,
)
export type Profile = Static<typeof Profile>

const folder = join(import.meta.dirname, 'profiles')
const known = new Map<string, Profile>()

export const profileNames: readonly string[] = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length))
  .sort()

/** Throws an error with the nearest name. */
export function profileOf(name: string): Profile {
  const found = known.get(name)
  if (found !== undefined) return found
  if (!profileNames.includes(name))
    throw new Error(`profile must be one of ${profileNames.join(', ')}${didYouMean(name, profileNames)}`)
  const content: unknown = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))
  const profile = parseOptions(`profile ${name}`, Profile, content)
  known.set(name, profile)
  return profile
}
