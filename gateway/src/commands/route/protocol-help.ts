/** `postern route put --help <protocol>`: the options of its links. Called by `run`. */
import { describeOptions } from '../../connectors/describe.ts'
import { kindOf } from '../../connectors/registry.ts'
import { UsageError } from '../errors.ts'

export function protocolHelp(protocol: string): string {
  const { name, summary, channels, options, example } = readKind(protocol)
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
    ...(rows.length === 0 ? ['It has no options.'] : ['Fields of --options, a JSON object:', ...rows]),
    '',
    ...(referable.length === 0
      ? []
      : [
          `A value env:NAME is read from the environment of the processes, file:/path from a file, in: ${referable.join(', ')}.`,
          '',
        ]),
    'Example:',
    `  postern route put my-route --protocol ${name} --channels ${channels.join(',')} --options '${JSON.stringify(example)}'`,
    '',
  ].join('\n')
}

function readKind(protocol: string): ReturnType<typeof kindOf> {
  try {
    return kindOf(protocol)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
