#!/usr/bin/perl
# A client based on Debian's Net::SMPP. Usage: client.pl port system_id password. Reads the commands of client-program.ts
# and reports events as lines of JSON.
use strict;
use warnings;
use IO::Select ();
use JSON::PP ();
use Net::SMPP ();

$| = 1;
my ($port, $system_id, $password) = @ARGV;
my $json = JSON::PP->new->canonical;
sub report { print $json->encode({@_}), "\n" }

my $smpp;
my %numbers;    # of submits, by sequence number
my $unread = '';

sub connect_again {
  for (;;) {
    my ($session, $answer) = Net::SMPP->new_transceiver(
      '127.0.0.1',
      port => $port, system_id => $system_id, password => $password, interface_version => 0x34, async => 0,
    );
    if ($session && $answer && $answer->status == 0) {
      $smpp = $session;
      %numbers = ();
      return report(event => 'bound');
    }
    select undef, undef, undef, 0.2;
  }
}

sub submit {
  my ($n, $to, %more) = @_;
  my $sequence = $smpp->submit_sm(
    async => 1,
    source_addr => '0234567890', destination_addr => $to, dest_addr_ton => 1, dest_addr_npi => 1,
    registered_delivery => 1, %more,
  );
  $numbers{$sequence} = $n;
}

my %commands = (
  submit => sub {
    my ($n, $to, $coding, $octets) = @_;
    submit($n, $to, data_coding => $coding, short_message => pack 'H*', $octets);
  },
  long => sub {
    my ($n, $to, $text, @parts) = @_;
    submit($n, $to, esm_class => 0x40, short_message => pack 'H*', $_) for @parts;
  },
  enquire => sub { $smpp->enquire_link(async => 1) },
  unbind => sub { $smpp->unbind(async => 1) },
);

my %handlers = (
  Net::SMPP::CMD_submit_sm_resp() => sub {
    my ($pdu) = @_;
    my $n = delete $numbers{ $pdu->{seq} };
    report(event => 'answer', n => $n + 0, status => $pdu->{status} + 0, id => $pdu->{message_id} // '');
  },
  Net::SMPP::CMD_deliver_sm() => sub {
    my ($pdu) = @_;
    report(event => 'receipt', octets => unpack 'H*', $pdu->{short_message});
    $smpp->deliver_sm_resp(seq => $pdu->{seq}, message_id => '');
  },
  Net::SMPP::CMD_enquire_link() => sub { $smpp->enquire_link_resp(seq => $_[0]->{seq}) },
  Net::SMPP::CMD_unbind_resp() => sub { report(event => 'unbound'); exit 0 },
);

connect_again();
for (;;) {
  for my $ready (IO::Select->new(\*STDIN, $smpp)->can_read) {
    if ($ready == \*STDIN) {
      sysread STDIN, $unread, 65_536, length $unread or exit 0;
      while ($unread =~ s/^(.*)\n//) {
        my ($command, @words) = split / /, $1;
        $commands{$command}->(@words);
      }
      next;
    }
    my $pdu = $smpp->read_pdu;
    if (!defined $pdu) { connect_again(); last }
    my $handler = $handlers{ $pdu->{cmd} };
    $handler->($pdu) if $handler;
  }
}
