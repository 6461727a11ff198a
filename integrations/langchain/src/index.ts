export { PassimRetriever, type PassimRetrieverOptions } from './retriever.js'
export { type Filter, PassimError, type ServiceOptions } from './service.js'
export {
  type AddOptions,
  type Deletion,
  PassimVectorStore,
  type PassimVectorStoreOptions,
} from './vector-store.js'
