import { conversionBodyBytes, maxConversions } from '../../../../trust/abuse/conversion-http.ts'
import { conversionExamples } from '../examples/conversion.ts'
import type { Operation } from '../operation.ts'
import { ref } from '../ref.ts'

export const conversionOperations: readonly Operation[] = [
  {
    id: 'reportConversion',
    method: 'post',
    path: '/v1/conversion',
    tag: 'Send',
    beyondContract: 'Protection against unused one-time codes.',
    summary: 'Report codes that were used',
    description:
      'Call it when a user has entered a one-time code. From the first report on, codes of the account are counted by ' +
      'country; when the operator has enabled the rule, codes to a country of which few are used are refused with A345 ' +
      `or held. At most ${maxConversions} messages per request; each counts once.`,
    body: {
      contentType: 'application/json',
      schema: ref('ConversionRequest'),
      description: `The messages; at most ${conversionBodyBytes / 1024} KB`,
    },
    response: { description: 'Counted', schema: ref('ConversionResponse') },
    codes: ['A300'],
    examples: conversionExamples,
  },
]
