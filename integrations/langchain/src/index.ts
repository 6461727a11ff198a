export { PassimRetriever, type PassimRetrieverOptions } from './retriever.js'
export { type Filter, PassimError, type ServiceOptions } from './service.js'
