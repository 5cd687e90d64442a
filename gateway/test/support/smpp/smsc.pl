#!/usr/bin/perl
# A carrier based on Debian's Net::SMPP, for peers.test.ts. It listens on a free port of 127.0.0.1, accepts one
# connection after another, and reports what it receives as lines of JSON on standard output.
use strict;
use warnings;
use JSON::PP ();
use Net::SMPP ();

$| = 1;
my $json = JSON::PP->new->canonical;
sub report { print $json->encode({@_}), "\n" }

my $listener = Net::SMPP->new_listen('127.0.0.1', port => 0, smpp_version => 0x34)
  or die "cannot listen: $!";
report(event => 'listening', port => $listener->sockport);

my %handlers = (
  Net::SMPP::CMD_bind_transceiver() => sub {
    my ($session, $pdu) = @_;
    report(event => 'bind', systemId => $pdu->{system_id}, password => $pdu->{password},
      version => $pdu->{interface_version} + 0);
    $session->bind_transceiver_resp(seq => $pdu->{seq}, status => 0, system_id => 'perl');
    $session->enquire_link(async => 1);
  },
  Net::SMPP::CMD_enquire_link() => sub {
    my ($session, $pdu) = @_;
    report(event => 'enquire_link');
    $session->enquire_link_resp(seq => $pdu->{seq});
  },
  Net::SMPP::CMD_enquire_link_resp() => sub { report(event => 'enquire_link_resp') },
  Net::SMPP::CMD_submit_sm() => sub {
    my ($session, $pdu) = @_;
    report(
      event => 'submit',
      destination => $pdu->{destination_addr},
      destinationKind => [$pdu->{dest_addr_ton} + 0, $pdu->{dest_addr_npi} + 0],
      source => $pdu->{source_addr},
      sourceKind => [$pdu->{source_addr_ton} + 0, $pdu->{source_addr_npi} + 0],
      esmClass => $pdu->{esm_class} + 0,
      dataCoding => $pdu->{data_coding} + 0,
      registeredDelivery => $pdu->{registered_delivery} + 0,
      octets => unpack('H*', $pdu->{short_message}),
    );
    if ($pdu->{destination_addr} =~ /2$/) {
      $session->submit_sm_resp(seq => $pdu->{seq}, status => 0x58, message_id => '');
      return;
    }
    $session->submit_sm_resp(seq => $pdu->{seq}, status => 0, message_id => "perl-$pdu->{seq}");
    $session->deliver_sm(
      async => 1,
      source_addr => $pdu->{destination_addr},
      destination_addr => $pdu->{source_addr},
      esm_class => 0x04,
      short_message => "id:perl-$pdu->{seq} sub:001 dlvrd:001 submit date:2603041405 "
        . 'done date:2603041406 stat:DELIVRD err:000 text:',
      receipted_message_id => "perl-$pdu->{seq}\0",
      message_state => chr 2,
    );
  },
  Net::SMPP::CMD_deliver_sm_resp() => sub { report(event => 'deliver_sm_resp', status => $_[1]->{status} + 0) },
  Net::SMPP::CMD_unbind() => sub {
    my ($session, $pdu) = @_;
    report(event => 'unbind');
    $session->unbind_resp(seq => $pdu->{seq});
  },
);

while (my $session = $listener->accept) {
  while (my $pdu = $session->read_pdu) {
    my $handler = $handlers{$pdu->{cmd}};
    if ($handler) { $handler->($session, $pdu) }
    else { report(event => 'unexpected', command => sprintf '%08x', $pdu->{cmd}) }
  }
  $session->close;
}
