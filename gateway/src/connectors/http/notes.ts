/** The ready-made profiles as a section of docs/connectors/http.md, from their files. Called when the page is generated. */
import { profileNames, profileOf } from './profiles.ts'

function rowOf(name: string): string {
  const { title, values, secrets, optional, verify, notes: text } = profileOf(name)
  const list = (names: Readonly<Record<string, string>>): string =>
    Object.keys(names)
      .map((key) => `\`${key}\`${optional.includes(key) ? ' (optional)' : ''}`)
      .join(', ')
  return `| \`${name}\` | ${title} | ${list(values)} | ${list(secrets)} | ${verify === undefined ? 'of your choice' : `\`${verify.by}\``} | ${text} |`
}

export const describeProfiles = (): string =>
  [
    '### Ready-made profiles',
    '',
    'Each is made from the public documentation that its file in `gateway/src/connectors/http/profiles` names. The file also says where',
    'the meaning of each error code was read; any other code has the general cause. Nobody has tried them with an account: try a route',
    'with `postern route try` first.',
    '',
    '| Profile | API | `values` | `secrets` | `verify` | |',
    '| --- | --- | --- | --- | --- | --- |',
    ...profileNames.map(rowOf),
    '',
    '`postern route try my-route --to 01012345678 --text Hello` prints the exact request, with secrets masked, and sends it only with',
    '`--send`. [Write a profile](../http-profiles.md) explains how to describe another API, and what cannot be described.',
  ].join('\n')
