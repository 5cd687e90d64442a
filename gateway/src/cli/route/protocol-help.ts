/** Returns what `postern route put --help <protocol>` prints: channels, options and an example. */
import { describeOptions } from '../../carriers/connectors/describe.ts'
import { getKind } from '../../carriers/connectors/registry.ts'
import { UsageError } from '../errors.ts'

export function protocolHelp(protocol: string): string {
  const { name, summary, channels, options, example, details } = requireKind(protocol)
  const described = describeOptions(options)
  const referable = described.filter(({ reference }) => reference).map(({ name: option }) => option)
  const rows = described.map(({ name: option, type, standard, required, description }) => {
    const note = required ? ', required' : standard === undefined ? '' : `, default ${standard}`
    return `  ${option}  (${type}${note})\n      ${description}`
  })
  return [
    `--protocol ${name}: ${summary}`,
    `Channels: ${channels.join(', ')}`,
    '',
    ...(rows.length === 0
      ? ['The protocol has no options.']
      : ['Fields of --options, a JSON object:', ...rows]),
    '',
    ...(referable.length === 0
      ? []
      : [
          `Fields that can reference secrets as env:NAME (environment variable of the processes) or file:/path: ${referable.join(', ')}.`,
          '',
        ]),
    'Example:',
    `  postern route put my-route --protocol ${name} --channels ${channels.join(',')} --options '${JSON.stringify(example)}'`,
    '',
    ...(details === undefined ? [] : [details, '']),
  ].join('\n')
}

function requireKind(protocol: string): ReturnType<typeof getKind> {
  try {
    return getKind(protocol)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
