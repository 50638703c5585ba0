import type { QueryClient } from '@tanstack/react-query';
import { createContext, use } from 'react';
import type { Account } from './account.ts';
import type { Live } from './live.ts';

/** What a signed-in page lives on. */
export interface Services extends Account {
  readonly live: Live;
  readonly queryClient: QueryClient;
}

const ServicesContext = createContext<Services | undefined>(undefined);
export const ServicesProvider = ServicesContext.Provider;

export function useServices(): Services {
  const services = use(ServicesContext);
  if (services === undefined) throw new Error('useServices needs a ServicesProvider above it');
  return services;
}
