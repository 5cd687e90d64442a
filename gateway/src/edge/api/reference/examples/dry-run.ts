/** The response to a dry run of the example SMS, on a sandbox account. */
import { success } from './sample-values.ts'

export const dryRunResponse = {
  ...success,
  data: {
    destinations: [
      {
        to: '01000000001',
        ...success,
        steps: [
          {
            step: 1,
            channel: 'sms',
            msgType: 'SM',
            hasRoute: true,
            text: 'Your parcel arrives today.',
            encoding: 'gsm7',
            bytes: 26,
            characters: 26,
            parts: 1,
            deadlineSeconds: 86_400,
          },
        ],
        ruleEffects: [],
        problems: [],
      },
    ],
    problems: [],
    omittedProblems: 0,
  },
}
