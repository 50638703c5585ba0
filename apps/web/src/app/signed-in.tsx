import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useAccount } from '../lib/account.ts';
import { createServices } from '../lib/create-services.ts';
import { ServicesProvider } from '../lib/services.ts';
import { Shell } from './shell.tsx';

/** The product of one signed-in account: what it has loaded and heard ends with it. */
export function SignedIn() {
  const account = useAccount();
  const [services] = useState(() => createServices(account));
  useEffect(() => {
    services.live.start();
    return () => {
      services.live.stop();
      services.queryClient.clear();
    };
  }, [services]);
  return (
    <QueryClientProvider client={services.queryClient}>
      <ServicesProvider value={services}>
        <Shell />
      </ServicesProvider>
    </QueryClientProvider>
  );
}
