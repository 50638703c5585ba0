import { BotConsole } from '../features/console/bot-console.tsx';
import { Bots } from '../features/bots/bots.tsx';
import { BotTrades } from '../features/history/bot-trades.tsx';

export function SolanaBots() {
  return <Bots chain="solana" Console={BotConsole} Trades={BotTrades} />;
}

export function BscBots() {
  return <Bots chain="bsc" Console={BotConsole} Trades={BotTrades} />;
}
