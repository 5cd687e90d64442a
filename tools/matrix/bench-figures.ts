/** Reads the figures of a short bench from the line of JSON that ends its output. */
interface Scenario {
  readonly ours: number
  readonly bare: number
  readonly ratio: number
  readonly toGrouped: { readonly ratio: number }
}

export function benchFigures(output: string): string {
  const line = output.split('\n').findLast((text) => text.startsWith('{"accept"'))
  if (line === undefined) throw new Error('the bench printed no figures')
  const { accept, pipeline } = JSON.parse(line) as Record<'accept' | 'pipeline', Scenario>
  return (
    `accept ${perSecond(accept)}, ${accept.ratio.toFixed(2)} of bare; ` +
    `pipeline ${perSecond(pipeline)}, ${pipeline.toGrouped.ratio.toFixed(2)} of grouped`
  )
}

function perSecond({ ours }: Scenario): string {
  return `${Math.round(ours).toLocaleString('en-US')}/s`
}
