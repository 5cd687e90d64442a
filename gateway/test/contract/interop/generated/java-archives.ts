import type { Jar } from '../../../../../tools/engines/install/maven.ts'
import { versions } from './versions.ts'

const version = versions['openapi-generator-cli']

export const javaGenerator: Jar = [
  `org/openapitools/openapi-generator-cli/${version}/openapi-generator-cli-${version}.jar`,
  '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae',
]

/** Dependencies of the generated client in the versions of its pom.xml, and the Standard Webhooks library. */
export const javaArchives: readonly Jar[] = [
  [
    'com/standardwebhooks/standardwebhooks/1.2.0/standardwebhooks-1.2.0.jar',
    'ba63bc64feb5866750ca72770108fbcbbed28862bc1cc577db7bd3ef9d2d007b',
  ],
  [
    'com/fasterxml/jackson/core/jackson-core/2.21.5/jackson-core-2.21.5.jar',
    'b64b5874162b503a0e58a8f7758266e8dd9f91bf49e3a59ae0b5f47589a231b7',
  ],
  [
    'com/fasterxml/jackson/core/jackson-annotations/2.21/jackson-annotations-2.21.jar',
    '53ca085f4a150f703f49e1aabd935bd03b43e1ea3d55d135438292af22cef56b',
  ],
  [
    'com/fasterxml/jackson/core/jackson-databind/2.21.5/jackson-databind-2.21.5.jar',
    '507418c0fafd38b2b2cfb704521630da613a8e4cc8381195a6f418017883e2c0',
  ],
  [
    'com/fasterxml/jackson/datatype/jackson-datatype-jsr310/2.21.5/jackson-datatype-jsr310-2.21.5.jar',
    'e941f9718d16a649614cb06711de06da34722afff9cee0b7725fc5318638304c',
  ],
  [
    'jakarta/annotation/jakarta.annotation-api/2.1.1/jakarta.annotation-api-2.1.1.jar',
    '5f65fdaf424eee2b55e1d882ba9bb376be93fb09b37b808be6e22e8851c909fe',
  ],
  [
    'org/apache/httpcomponents/httpmime/4.5.14/httpmime-4.5.14.jar',
    'd401243d5c6eae928a37121b6e819158c8c32ea0584793e7285bb489ab2a3d17',
  ],
  [
    'org/apache/httpcomponents/httpclient/4.5.14/httpclient-4.5.14.jar',
    'c8bc7e1c51a6d4ce72f40d2ebbabf1c4b68bfe76e732104b04381b493478e9d6',
  ],
  [
    'org/apache/httpcomponents/httpcore/4.4.16/httpcore-4.4.16.jar',
    '6c9b3dd142a09dc468e23ad39aad6f75a0f2b85125104469f026e52a474e464f',
  ],
]
